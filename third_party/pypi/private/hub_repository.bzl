"""The repository that gives every Python package one name: `@HUB//:NAME`."""

def _hub_repository_impl(rctx):
    lines = ['package(default_visibility = ["//visibility:public"])', ""]
    for name in rctx.attr.packages:
        for label, target in [(name, name), (name + ".files", "files")]:
            lines.append('alias(name = "{}", actual = "@{}__{}//:{}")'.format(
                label,
                rctx.attr.name.split("~")[-1],
                name,
                target,
            ))
    rctx.file("BUILD.bazel", "\n".join(lines) + "\n")

hub_repository = repository_rule(
    implementation = _hub_repository_impl,
    doc = "Aliases for the packages of one lock file.",
    attrs = {
        "packages": attr.string_list(mandatory = True, doc = "Names of the packages."),
    },
)
