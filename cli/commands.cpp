// The command table.
#include "cli/command.hpp"

namespace webnn::cli {
namespace {

constexpr Command table[] = {
    {"run", "execute a graph or a compiled program once and print or save its outputs",
     "webnn-cli run model.json --input image=@cat.npy --labels labels.txt --top 3\n"
     "webnn-cli run model.wnnc --input image=@cat.npy\n"
     "webnn-cli run model.json --fill random --outputs out/\n"
     "webnn-cli run model.json --input 'a=2x2:float32=[1,2,3,4]' --output-format json --values\n"
     "webnn-cli run model.json --fill random --repeat 10",
     declare_run},
    {"validate", "report all mistakes of graph files, with place and hint",
     "webnn-cli validate model.json\n"
     "webnn-cli validate models/ --output-format json",
     declare_validate},
    {"convert", "write a graph file in another form",
     "webnn-cli convert model.json -o model.webnn\n"
     "webnn-cli convert model.webnn -o out/model.json --weights safetensors\n"
     "webnn-cli convert model.json -o model.wnnb\n"
     "webnn-cli convert model.json -o model.webnn --rename --weights inline\n"
     "webnn-cli convert model.json -o model.onnx --dim batch=1",
     declare_convert},
    {"inspect", "show what a file holds: a graph's operators, weights and cost, a program's steps and memory",
     "webnn-cli inspect model.json --nodes\n"
     "webnn-cli inspect model.wnnc\n"
     "webnn-cli inspect model.wnnc --compat\n"
     "webnn-cli inspect model.safetensors\n"
     "webnn-cli inspect model.json --diff other.webnn\n"
     "webnn-cli inspect model.json --dot | dot -Tsvg -o model.svg\n"
     "webnn-cli inspect model.json --html model.html\n"
     "webnn-cli inspect model.json --output-format json",
     declare_inspect},
    {"compile", "compile a graph into a program file, which runs without being compiled again",
     "webnn-cli compile model.json -o model.wnnc\n"
     "webnn-cli compile model.json -o model.wnnc --target x86-64-v3 --dim batch=4\n"
     "webnn-cli compile model.json -o model.wnnc --embed-graph\n"
     "webnn-cli compile model.json -o model.wnnc --tune full --tuning model.tuning.json\n"
     "webnn-cli compile model.json --emit ir --stop-after simplify\n"
     "webnn-cli compile model.json --emit dot | dot -Tsvg -o model.svg\n"
     "webnn-cli compile model.json --stats --time-passes",
     declare_compile},
    {"test", "run conformance and validation vectors and case folders",
     "webnn-cli test tests/operators --jobs 2\n"
     "webnn-cli test vectors/ --filter '*conv2d*' --junit report.xml\n"
     "webnn-cli test models/ --atol 1e-3",
     declare_test},
    {"cache", "list, measure or empty the user's cache of compiled programs",
     "webnn-cli cache list\n"
     "webnn-cli cache info --output-format json\n"
     "webnn-cli cache clean\n"
     "webnn-cli cache clean --keep 1GB",
     declare_cache},
    {"bench", "measure latency and throughput, with statistics, and compare them with an earlier measurement",
     "webnn-cli bench model.json\n"
     "webnn-cli bench a.json b.wnnc --threads 1,2 --dim batch=1,8\n"
     "webnn-cli bench model.json --output-format json -o before.json\n"
     "webnn-cli bench model.json --baseline before.json --fail-on 'p50>+5%' --fail-on 'p99>+20%'",
     declare_bench},
    {"profile", "show where the time of a run goes, step by step and by the operators of the graph",
     "webnn-cli profile model.json --fill random\n"
     "webnn-cli profile model.wnnc --input image=@cat.npy --threads 1 --top 0\n"
     "webnn-cli profile model.json --fill random --html report.html --trace trace.pftrace",
     declare_profile},
    {"compare",
     "compare the results of two devices, programs, models or saved runs, and find where they begin to differ",
     "webnn-cli compare model.json --devices cpu,cpu:reference --fill random\n"
     "webnn-cli compare good.json broken.json --first-divergence --fill random --reduce out/case.json\n"
     "webnn-cli compare model.json --save-run before/ --fill random\n"
     "webnn-cli compare model.json --ref before/ --tol atol=1e-4,rtol=1e-3",
     declare_compare},
    {"ops", "print the support matrix: operators, types, ranks, devices",
     "webnn-cli ops\n"
     "webnn-cli ops conv2d\n"
     "webnn-cli ops --output-format md",
     declare_ops},
    {"devices", "list the CPU and the GPUs that graphs can run on",
     "webnn-cli devices\n"
     "webnn-cli devices --output-format json",
     declare_devices},
    {"explain", "explain the code of a diagnostic", "webnn-cli explain WNN0101\nwebnn-cli explain", declare_explain},
    {"completion", "print what a shell needs to complete the words of webnn-cli",
     "source <(webnn-cli completion bash)\n"
     "webnn-cli completion fish > ~/.config/fish/completions/webnn-cli.fish",
     declare_completion},
    {"man", "print the manual page of a command", "webnn-cli man run | man -l -\nwebnn-cli man --folder share/man/man1",
     declare_man},
    {"version", "print the version and what was built in", "webnn-cli version\nwebnn-cli version --output-format json",
     declare_version},
};

}  // namespace

std::span<const Command> commands() { return table; }

}  // namespace webnn::cli
