// --sandbox: what a process in it tries is refused, its limits end it with a sentence, and commands do the same work in
// it. The probes stand here and not in the product: they are work that is handed to the sandbox.
#include "cli/sandbox/sandbox.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <thread>
#include <unistd.h>

#include "schema/error.hpp"
#include "schema/file/output_file.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"
#include "tests/security/sandboxed.hpp"

namespace webnn::tests::sandbox_test {
namespace {

namespace fs = std::filesystem;
using cli::FileUse;
using cli::SandboxLimits;

bool refused(long result) { return result == -1 && (errno == EPERM || errno == EACCES || errno == ENOSYS); }

struct Probe {
  const char* name;
  bool (*is_refused)();
};

pid_t outside = 0;  // the process that the sandbox is not to reach

const Probe system_probes[] = {
    {"open", [] { return refused(open("/etc/passwd", O_RDONLY)); }},
    {"open to write", [] { return refused(open("/tmp/from-a-sandbox", O_WRONLY | O_CREAT, 0600)); }},
    {"open a nameless file", [] { return refused(open("/tmp", O_WRONLY | O_TMPFILE, 0600)); }},
    {"open a folder", [] { return refused(open("/", O_RDONLY | O_DIRECTORY)); }},
    {"open its memory", [] { return refused(open("/proc/self/mem", O_RDWR)); }},
    {"open a descriptor again", [] { return refused(open("/proc/self/fd/1", O_WRONLY)); }},
    {"open what describes the machine to write", [] { return refused(open("/proc/meminfo", O_RDWR)); }},
    {"stat",
     [] {
       struct stat status;
       return refused(stat("/etc/passwd", &status));
     }},
    {"access", [] { return refused(access("/etc/passwd", F_OK)); }},
    {"rename", [] { return refused(rename("/tmp/a", "/tmp/b")); }},
    {"unlink", [] { return refused(unlink("/etc/passwd")); }},
    {"link", [] { return refused(link("/etc/passwd", "/tmp/passwd")); }},
    {"symlink", [] { return refused(symlink("/etc/passwd", "/tmp/passwd")); }},
    {"mkdir", [] { return refused(mkdir("/tmp/from-a-sandbox", 0700)); }},
    {"chmod", [] { return refused(chmod("/tmp", 0700)); }},
    {"change folder", [] { return refused(chdir("/")); }},
    {"socket", [] { return refused(socket(AF_INET, SOCK_STREAM, 0)); }},
    {"local socket", [] { return refused(socket(AF_UNIX, SOCK_STREAM, 0)); }},
    {"connect",
     [] {
       sockaddr to{};
       return refused(connect(0, &to, sizeof to));
     }},
    {"exec",
     [] {
       char* const none[] = {nullptr};
       return refused(execve("/bin/true", none, none));
     }},
    {"fork", [] { return refused(fork()); }},
    {"vfork", [] { return refused(syscall(SYS_clone, SIGCHLD | 0x4100, 0, 0, 0, 0)); }},
    {"signal another process", [] { return refused(kill(outside, SIGTERM)); }},
    {"signal another's thread", [] { return refused(syscall(SYS_tgkill, outside, outside, SIGTERM)); }},
    {"trace another process", [] { return refused(ptrace(PTRACE_ATTACH, outside, nullptr, nullptr)); }},
    {"choose another process's processors",
     [] {
       const std::uint64_t first = 1;
       return refused(syscall(SYS_sched_setaffinity, outside, sizeof first, &first));
     }},
    {"read another process's limits",
     [] {
       rlimit limit;
       return refused(prlimit(outside, RLIMIT_NOFILE, nullptr, &limit));
     }},
    {"read another process's processors",
     [] {
       std::uint64_t set[64];
       return refused(syscall(SYS_sched_getaffinity, outside, sizeof set, set));
     }},
    {"read how another process is scheduled", [] { return refused(syscall(SYS_sched_getscheduler, outside)); }},
    {"shorten standard output", [] { return refused(ftruncate(STDOUT_FILENO, 0)); }},
    {"raise its limits",
     [] {
       const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
       return refused(setrlimit(RLIMIT_DATA, &all));
     }},
    {"memory that is not counted",
     [] { return mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED; }},
    {"a file in memory", [] { return refused(syscall(SYS_memfd_create, "x", 0)); }},
    {"type into the terminal",
     [] {
       char c = '\n';
       return refused(ioctl(0, TIOCSTI, &c));
     }},
    {"a namespace", [] { return refused(syscall(SYS_unshare, 0x10000000)); }},
    {"io_uring", [] { return refused(syscall(425, 1, nullptr)); }},
    {"a filter of its own", [] { return refused(syscall(SYS_seccomp, 0, 0, nullptr)); }},
};

/// The probe that is not refused, or an empty name.
std::string failing(std::span<const Probe> probes, const std::vector<cli::UsedFile>& files = {}) {
  outside = getpid();
  const int code = with_grants(files, [&] {
    for (std::size_t i = 0; i < probes.size(); ++i)
      if (!probes[i].is_refused()) return int(i) + 1;
    return 0;
  });
  return code == 0 ? "" : probes[std::size_t(code) - 1].name;
}

fs::path granted;  // a folder with `file`, `deep/file`, `.hidden`, `.keys/file`, `pipe`, and links to each and outside

bool opens(const fs::path& file) {
  const int number = open(file.c_str(), O_RDONLY);
  if (number >= 0) close(number);
  return number >= 0;
}

const Probe file_probes[] = {
    {"a hidden file", [] { return !opens(granted / ".hidden"); }},
    {"a hidden file behind a link", [] { return !opens(granted / "keys/file") && !opens(granted / "key"); }},
    {"a pipe, which nobody writes to", [] { return !opens(granted / "pipe"); }},
    {"a link that leads out", [] { return !opens(granted / "out"); }},
    {"a path that leads out", [] { return !opens(granted / "../secret"); }},
    {"a path that leads out at last", [] { return !opens(granted / "deep/../../secret"); }},
    {"below a descriptor",
     [] {
       const int folder = open(granted.c_str(), O_PATH | O_DIRECTORY);
       return folder >= 0 && openat(folder, "../secret", O_RDONLY) == -1 && openat(folder, "out", O_RDONLY) == -1 &&
              openat(folder, "file", O_WRONLY) == -1 && openat(folder, "file", O_RDONLY) >= 0;
     }},
    {"a granted file to write", [] { return refused(open((granted / "file").c_str(), O_WRONLY)); }},
    {"a granted file to shorten", [] { return refused(open((granted / "file").c_str(), O_RDONLY | O_TRUNC)); }},
    {"a new file", [] { return refused(open((granted / "new").c_str(), O_WRONLY | O_CREAT, 0600)); }},
    {"what is granted (and is not)",
     [] { return opens(granted / "file") && opens(granted / "deep/file") && opens(granted / "in"); }},
};

std::string program() { return program_words("webnn-cli"); }
std::string digits() { return shell_word(source_dir() / "models/digits/digits.json"); }

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("sandbox: files, sockets, programs, other processes and uncounted memory are refused") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  CHECK(failing(system_probes) == "");
  CHECK(!fs::exists("/tmp/from-a-sandbox"));
}

TEST_CASE("sandbox: of granted folders only what lies in them can be read, and nothing written") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  const ScratchFolder scratch;
  granted = scratch.path() / "granted";
  for (const char* folder : {"deep", ".keys"}) fs::create_directories(granted / folder);
  for (const char* file : {"file", "deep/file", ".hidden", ".keys/file", "../secret"})
    write_file(granted / file, "content");
  REQUIRE(mkfifo((granted / "pipe").c_str(), 0600) == 0);
  fs::create_symlink(".keys", granted / "keys");
  fs::create_symlink(".keys/file", granted / "key");
  fs::create_symlink("../secret", granted / "out");
  fs::create_symlink("deep/file", granted / "in");
  CHECK(failing(file_probes, {{FileUse::reads_folder, granted.string()}}) == "");
  CHECK(read_file(granted / "file") == "content");
}

TEST_CASE("sandbox: an output can be written, and nothing beside it") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  const ScratchFolder scratch;
  const fs::path output = scratch.path() / "new/output", other = scratch.path() / "new/other";
  const auto writes = [](const fs::path& file) {
    try {
      schema::OutputFile written(file);
      written.append("content");
      written.commit();
      return true;
    } catch (const schema::Error&) {
      return false;
    }
  };
  CHECK(with_grants({{FileUse::writes, output.string()}}, [&] { return writes(output) && !writes(other) ? 0 : 1; }) ==
        0);
  CHECK(names_in(scratch.path()) == std::vector<std::string>{"new", "output"});
  CHECK(read_file(output) == "content");
  write_file(scratch.path() / "target", "old");
  fs::create_symlink("target", scratch.path() / "link");  // a link is followed as its owner made it
  CHECK(with_grants({{FileUse::writes, (scratch.path() / "link").string()}},
                    [&] { return writes(scratch.path() / "link") ? 0 : 1; }) == 0);
  CHECK(read_file(scratch.path() / "target") == "content");
  CHECK(with_grants({{FileUse::writes, "/dev/null"}}, [&] { return writes("/dev/null") ? 0 : 1; }) == 0);
}

TEST_CASE("sandbox: threads and code that is written while it runs are allowed") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  CHECK(with_grants({}, [] {
          int done = 0;
          std::thread([&] { done = 1; }).join();
          cpu_set_t all;  // a thread of its own may be told where to run
          if (sched_getaffinity(0, sizeof all, &all) != 0 || sched_setaffinity(gettid(), sizeof all, &all) != 0)
            return 2;
          void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
          return done == 1 && page != MAP_FAILED && mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0 ? 0 : 1;
        }) == 0);
}

TEST_CASE("sandbox: limits end it with exit code 7, a crash with 70, each with a sentence") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  const auto error_of = [](const std::function<int()>& work, SandboxLimits limits) {
    try {
      return std::pair{cli::ExitCode(with_grants({}, work, limits)), std::string()};
    } catch (const cli::Error& error) {
      return std::pair{error.code(), std::string(error.what())};
    }
  };
  const auto for_ever = [] {
    for (;;) pause();
    return 0;
  };
  const auto timed_out = error_of(for_ever, {.time = std::chrono::milliseconds(50)});
  CHECK(timed_out.first == cli::ExitCode::resource);
  CHECK(timed_out.second == "the sandboxed process was ended after 50 ms");
  const auto memory = error_of(
      [] {
        // Not from the heap alone: a limit counts memory of any kind that can be written.
        std::size_t pages = 0;
        while (mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
          ++pages;
        return pages < 512 ? 0 : 1;
      },
      {.memory_bytes = std::uint64_t{512} << 20});
  CHECK(memory.first == cli::ExitCode::success);
  const auto crash = error_of(
      [] {
        std::signal(SIGSEGV, SIG_DFL);  // the tests have a handler
        return std::raise(SIGSEGV);
      },
      {});
  CHECK(crash.first == cli::ExitCode::internal);
  CHECK(contains(crash.second, "crashed (Segmentation fault)"));

  const ShellResult late = run_shell(program() + " bench " + digits() + " --time 30s --sandbox --sandbox-time 200ms");
  CHECK(late.status == 7);
  CHECK(contains(late.output, "webnn-cli: the sandboxed process was ended after 200 ms"));
  const ShellResult little = run_shell(program() + " run " + digits() + " --fill ones --sandbox --sandbox-memory 6MB");
  CHECK(little.status == 7);
  CHECK(std::ranges::count(little.output, '\n') == 1);
  CHECK(run_shell(program() + " run " + digits() + " --fill ones --sandbox --sandbox-memory 1MB").status == 7);
}

TEST_CASE("sandbox: commands do in it what they do without") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  const ScratchFolder scratch;
  const fs::path input = source_dir() / "models/digits/digits.input.image.npy", suite = source_dir() / "models/digits";
  fs::create_directory(scratch.path() / "alone");
  fs::copy_file(suite / "digits.json", scratch.path() / "alone/digits.json");
  for (const std::string& command : std::vector<std::string>{
           "run " + digits() + " --input image=@" + shell_word(input), "run - --fill ones < " + digits(),
           "run " + shell_word(scratch.path() / "alone/digits.json") + " --fill ones --weights-file " +
               shell_word(suite / "digits.weights"),
           "run " + digits() + " --fill ones --values --output-format json --threads 2",
           "run " + shell_word(source_dir() / "models/onnx/digits.onnx") + " --fill ones",
           "compile " + digits() + " --stats", "test " + shell_word(suite) + " --jobs 2", "run nowhere.json",
           "run " + digits() + " --fill ones --labels nowhere.txt", "run " + digits() + " --output-format json",
           "run " + digits() + " --image image=@nowhere.png", "compile " + digits() + " -o -"}) {
    CAPTURE(command);
    const ShellResult usual = run_shell(program() + " " + command),
                      inside = run_shell("WEBNN_CLI_SANDBOX=true " + program() + " " + command);
    CHECK(inside.status == usual.status);
    CHECK(inside.output == usual.output);
  }
  CHECK(run_shell(program() + " bench " + digits() + " --time 1ms --warm-up 1ms --sandbox").status == 0);
}

TEST_CASE("sandbox: a batch reads what its pattern may match, and finds its earlier results") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in", out = scratch.path() / "out";
  fs::create_directories(in);
  for (const char* name : {"a.npy", "b.npy", "c.npy"})
    fs::copy_file(source_dir() / "models/digits/digits.input.image.npy", in / name);
  const auto batch = [&](const fs::path& source, const std::string& options) {
    return run_shell(program() + " run " + digits() + " --batch " + shell_word(source) + " --outputs " +
                     shell_word(out) + " --sandbox " + options);
  };
  CHECK(batch(in / "*.npy", "--shards 2 --shard 0").output.starts_with("2 inputs: 2 computed ("));
  CHECK(batch(in / "*.npy", "").output.starts_with("3 inputs: 1 computed, 2 there already ("));
  CHECK(contains(batch(in, "").output, "holds the results of another batch"));
  CHECK(batch(in, "--force").output.starts_with("3 inputs: 3 computed ("));
  CHECK(batch(in / "a.npy", "--force").output.starts_with("1 input: 1 computed ("));
  CHECK(names_in(out).size() == 4);
  fs::create_symlink("/etc/hostname", in / "d.npy");
  const ShellResult led_out = batch(in / "?.npy", "--force");
  CHECK(!contains(led_out.output, "4 inputs"));
}

TEST_CASE("sandbox: outputs are whole, or absent when the command ends early") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  const ScratchFolder scratch;
  const auto file = [&](const char* name) { return scratch.path() / name; };
  for (const std::string place : {"usual", "inside"}) {
    const std::string options = place == "inside" ? " --sandbox" : "";
    CHECK(run_shell(program() + " run " + digits() + " --fill ones -q --outputs " + shell_word(file("out") / place) +
                    options)
              .status == 0);
    CHECK(run_shell(program() + " compile " + digits() + " -o " + shell_word(file("out") / (place + ".wnnc")) + options)
              .status == 0);
    CHECK(run_shell(program() + " test " + shell_word(source_dir() / "models/digits") + " --junit " +
                    shell_word(file("out") / (place + ".xml")) + options)
              .status == 0);
  }
  CHECK(read_file(file("out/usual/probabilities.npy")) == read_file(file("out/inside/probabilities.npy")));
  CHECK(read_file(file("out/usual.wnnc")) == read_file(file("out/inside.wnnc")));
  CHECK(names_in(file("out")).size() == 8);

  CHECK(run_shell(program() + " compile " + digits() + " -o " + shell_word(file("late/a.wnnc")) +
                  " --sandbox --sandbox-time 1ms")
            .status == 7);
  CHECK(run_shell(program() + " compile " + digits() + " -o " + shell_word(file("little/a.wnnc")) +
                  " --sandbox --sandbox-memory 6MB")
            .status == 7);
  for (const char* folder : {"late", "little"}) CHECK(names_in(file(folder)).empty());
}

TEST_CASE("sandbox: it leaves the cache alone, and is for the CPU") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  const ScratchFolder scratch;
  const std::string own = "WEBNN_CLI_NO_CACHE=false XDG_CACHE_HOME=" + shell_word(scratch.path()) + " ";
  CHECK(run_shell(own + program() + " run " + digits() + " --fill ones --sandbox").status == 0);
  CHECK(names_in(scratch.path()).empty());
  const ShellResult gpu = run_shell(program() + " run " + digits() + " --fill ones --sandbox --device gpu");
  CHECK(gpu.status == 2);
  CHECK(contains(gpu.output, "--sandbox is for the CPU"));
  CHECK(run_shell(program() + " run " + digits() + " --fill ones --sandbox-time 1s").status == 2);
}

TEST_CASE("sandbox: an interrupt reaches both processes, and the caller sees it") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  const ShellResult result = run_shell(
      "bash -c " + shell_word("set -m; " + program() + " bench " + digits() +
                              " --time 30s --sandbox >/dev/null & sleep 0.5; kill -INT -$!; wait $!; echo code $?"));
  CHECK(contains(result.output, "code 130"));
}

}  // namespace webnn::tests::sandbox_test
