"""What Starlark needs to know of a lock file: the names in it."""

def locked_names(text):
    """The distributions that a lock file pins, as repository names.

    Args:
        text: The lock file's text.

    Returns:
        Sorted names, lower case, with `_` between words, without repeats.
    """
    names = {}
    for line in text.split("\n"):
        if not line or line[0] in " #\t" or "==" not in line:
            continue
        name = line.split("==")[0].split("[")[0].strip()
        names[name.lower().replace("-", "_").replace(".", "_")] = True
    return sorted(names)
