#include "runtime/threads/shared_loop.hpp"

#include <utility>

#include "runtime/threads/processors.hpp"
#include "runtime/threads/spin.hpp"

namespace webnn::runtime {

void SharedLoop::publish(unsigned members, const LoopSizes& sizes, const UnitBody& body) {
  processor_.store(current_processor(), std::memory_order_relaxed);
  body_ = body;
  units_ = std::uint32_t(sizes.units);
  first_ = last_ + 2;  // skips a number: the one behind a phase is the next phase of the same loop, or unused
  last_ = first_ + std::uint32_t(sizes.steps) - 1;
  pending_.store(units_, std::memory_order_relaxed);
  for (unsigned place = 0; place < members; ++place)
    sections_[place].publish({first_, place == 0, first_ == last_, part(place, members)});
  head_.store(head_of(first_, members), std::memory_order_release);
}

void SharedLoop::run(unsigned members) { work({first_, last_}, members, 0, sections_[0].claim(first_)); }

bool SharedLoop::had_help(unsigned members) const {
  for (unsigned place = 1; place < members; ++place)
    if (sections_[place].view().owned) return true;
  return false;
}

bool SharedLoop::help(std::uint64_t head, unsigned helper) {
  const auto turn = std::uint32_t(head >> 32);
  const auto members = unsigned(head & 0xffffffff);
  for (unsigned i = 0; i + 1 < members; ++i) {
    const unsigned place = 1 + (helper + i) % (members - 1);
    if (const auto first = sections_[place].join(turn)) return work({turn, turn + 1}, members, place, *first);
  }
  return false;
}

bool SharedLoop::work(Progress at, unsigned members, unsigned place, Units units) {
  bool any = false;
  for (;;) {
    std::uint32_t done = 0;
    const auto run = [&](Units claimed) {
      if (claimed.count() == 0) return false;
      body_(at.turn - first_, claimed.begin, claimed.end, place);
      at.last = last_;
      done += claimed.count();
      any = true;
      return true;
    };
    while (run(units)) units = sections_[place].claim(at.turn);
    finish(at.turn, members, place, std::exchange(done, 0u));  // at once: others may be waiting
    for (unsigned i = 1; i < members; ++i)
      while (run(sections_[(place + i) % members].steal(at.turn))) {
      }
    finish(at.turn, members, place, done);
    const std::optional<std::uint32_t> next = next_turn(at, place);
    if (!next) return any;
    at.turn = *next;
    if (at.last == at.turn) ++at.last;
    units = sections_[place].claim(at.turn);
  }
}

void SharedLoop::finish(std::uint32_t turn, unsigned members, unsigned place, std::uint32_t units) {
  if (units == 0 || pending_.fetch_sub(units, std::memory_order_acq_rel) != units) return;
  const bool is_last = turn == last_;
  const auto advance = [&](unsigned section) {
    sections_[section].advance(turn, turn + 1 == last_, part(section, members));
  };
  if (!is_last) {
    pending_.store(units_, std::memory_order_relaxed);
    for (unsigned i = 1; i < members; ++i) advance((place + i) % members);
    head_.store(head_of(turn + 1, members), std::memory_order_release);
  }
  ended_.exchange(turn, std::memory_order_acq_rel);  // a waiting caller sees it, or is seen waiting
  if (!is_last) advance(place);  // the next phase cannot end before; the stores above keep their order
  ended_.notify_one();
}

std::optional<std::uint32_t> SharedLoop::next_turn(Progress at, unsigned place) {
  const Section& own = sections_[place];
  const bool is_caller = place == 0;
  Section::View view = own.view();
  if (view.turn == at.turn) {
    if (view.last && !is_caller) return std::nullopt;
    const auto has_ended = [&] {
      return view.last ? ended_.load(std::memory_order_acquire) == at.turn : own.view().turn != at.turn;
    };
    if (!look_for(has_ended, short_patience)) {
      if (is_caller) {
        for (std::uint32_t before; before = ended_.load(std::memory_order_acquire), !has_ended();) ended_.wait(before);
      } else if (sections_[place].leave(at.turn)) {
        return std::nullopt;
      }
    }
    view = own.view();
  }
  const bool is_same_loop = view.turn - at.turn <= at.last - at.turn;
  return view.turn != at.turn && is_same_loop ? std::optional(view.turn) : std::nullopt;
}

}  // namespace webnn::runtime
