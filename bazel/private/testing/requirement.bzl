# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The requirement language at analysis time: `sm>=9.0 & cudnn>=9.13`.

docs/requirements.md describes the language. It is read alike by
python/warpyard/testing/requirement.py and cc/target/requirement.cc; one table of cases, with
the wording of errors, holds the three together (tests/requirements/cases.bzl).

Functions that can fail give a pair, a value and a message, one of which is None.
"""

_MOST_CHARACTERS = 1024
_MOST_GPUS = 1024
_KEYS = ["cuda", "cudnn", "driver", "gpu", "gpus", "hardware", "memory", "nccl", "os", "sm"]
_SYSTEMS = ["linux", "macos", "windows"]

# Names of cc/target/specs.
GPU_NAMES = [
    "a10",
    "a100",
    "a100-40gb",
    "b200",
    "b300",
    "gb200",
    "gb300",
    "gh200",
    "h100",
    "h100-pcie",
    "h200",
    "l4",
    "l40s",
    "rtx4090",
    "rtx5090",
    "rtx6000pro",
    "spark",
    "t4",
    "thor",
    "v100",
]

_OPERATORS = [">=", "<=", "==", "!=", ">", "<"]
_UNORDERED = ["gpu", "os"]
_VERSIONS = ["cuda", "cudnn", "driver", "nccl"]
_SPACE = " \t\n\013\014\r"
_WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
_DIGITS = "0123456789"

# What a fact of "none" is called, by key.
_ABSENT = {"cuda": "no CUDA", "cudnn": "no cuDNN", "driver": "no driver", "nccl": "no NCCL"}

# Compute capabilities are ten times the major number plus the minor one. Later members of a
# family run what is compiled for earlier ones with 'f' (PTX ISA, section 11.1.2 ".target",
# table "Architecture Families").
_FAMILIES = [[100, 103, 107], [110], [120, 121]]

# sm_101 became sm_110 with PTX ISA 9.0 (PTX ISA, ".target", notes).
_RENAMED = {101: 110}
_FIRST_WITH = {"a": 90, "f": 100}

# The suffix of a GPU, which runs code of every suffix for its number.
_DEVICE = "device"

_UNITS = {"GiB": 1 << 30, "KiB": 1 << 10, "MiB": 1 << 20, "TiB": 1 << 40}

def _is_number(text, most_digits):
    if not text or len(text) > most_digits:
        return False
    for c in text.elems():
        if c not in _DIGITS:
            return False
    return True

def _number_text(number):
    return "{}.{}".format(number // 10, number % 10)

def _target_text(target):
    return _number_text(target.number) + ("" if target.suffix == _DEVICE else target.suffix)

def _parse_target(text):
    wrong = "\"{}\" is no compute capability; expected for example 9.0, 9.0a or sm_100f".format(text)
    rest = text
    suffix = ""
    if rest and rest[-1] in "af":
        suffix = rest[-1]
        rest = rest[:-1]
    prefixed = False
    for prefix in ["sm_", "compute_"]:
        if rest.startswith(prefix):
            rest = rest[len(prefix):]
            prefixed = True
            break
    if prefixed:
        major, minor = rest[:-1], rest[-1:]
    else:
        parts = rest.split(".")
        if len(parts) != 2:
            return None, wrong
        major, minor = parts
    if not _is_number(major, 2) or not _is_number(minor, 1) or major[0] == "0":
        return None, wrong
    number = int(major) * 10 + int(minor)
    if suffix and number < _FIRST_WITH[suffix]:
        return None, "\"{}\": the suffix '{}' exists from {} on".format(
            text,
            suffix,
            _number_text(_FIRST_WITH[suffix]),
        )
    return struct(number = number, suffix = suffix), None

def _parse_version(text):
    parts = text.split(".")
    if len(parts) > 4 or not all([_is_number(part, 9) for part in parts]):
        return None, "\"{}\" is no version; expected numbers and dots, as in 9.13".format(text)
    return [int(part) for part in parts], None

def _parse_gpus(text):
    if not _is_number(text, 4) or int(text) > _MOST_GPUS:
        return None, "\"{}\" is no number of GPUs; expected 0 to {}".format(text, _MOST_GPUS)
    return int(text), None

def _parse_memory(text):
    digits, unit = text[:-3], text[-3:]
    if unit not in _UNITS or not _is_number(digits, 7):
        return None, "\"{}\" is no size; expected for example 40GiB".format(text)
    return int(digits) * _UNITS[unit], None

def _parse_value(key, text):
    if key == "sm":
        return _parse_target(text)
    if key == "gpus":
        return _parse_gpus(text)
    if key == "memory":
        return _parse_memory(text)
    if key == "os":
        if text in _SYSTEMS:
            return text, None
        return None, "\"{}\" is no operating system; expected linux, macos or windows".format(text)
    if key == "gpu":
        if text in GPU_NAMES:
            return text, None
        return None, "\"{}\" is no GPU that is known; known are {}".format(
            text,
            ", ".join(GPU_NAMES),
        )
    return _parse_version(text)

# --- Meaning ---

def _current(number):
    return _RENAMED.get(number, number)

def _stands_for(value, found):
    """Whether `found`, a device or a target, is what the listed `value` means."""
    if not value.suffix:
        return value.number == found.number
    number, listed = _current(found.number), _current(value.number)
    if value.suffix == "a":
        return found.suffix in ["a", _DEVICE] and number == listed
    if not found.suffix or number < listed:
        return False
    for family in _FAMILIES:
        if number in family and listed in family:
            return True
    return False

def _same(key, found, value):
    if key == "sm":
        return _stands_for(value, found)
    if key in _VERSIONS:
        return (found + [0, 0, 0, 0])[:len(value)] == value
    return found == value

def _holds(clause, found):
    if clause.key == "hardware":
        return found
    if clause.operator == "in":
        for value in clause.values:
            if _same(clause.key, found, value):
                return True
        return False
    value = clause.values[0]
    if clause.operator == "!=":
        return not _same(clause.key, found, value)
    if clause.key == "sm":
        found, value = found.number, value.number
    elif clause.key in _VERSIONS:
        # As many components count as the requirement writes: 9.13 stands for every 9.13.x.
        found = (found + [0, 0, 0, 0])[:len(value)]
    if clause.operator == ">=":
        return found >= value
    if clause.operator == ">":
        return found > value
    if clause.operator == "<=":
        return found <= value
    return found < value

def _clause_text(clause):
    if clause.key == "hardware":
        return "hardware"
    if clause.operator != "in":
        return clause.key + clause.operator + clause.texts[0]
    if len(clause.texts) == 1:
        return clause.key + "==" + clause.texts[0]
    return "{} in {{{}}}".format(clause.key, ", ".join(clause.texts))

def requirement_text(clauses):
    """Prints a requirement so that it reads back to the same.

    Args:
        clauses: What `parse_requirement` gave.

    Returns:
        Such as "sm>=9.0 & os==linux".
    """
    return " & ".join([_clause_text(clause) for clause in clauses])

def _candidates(key, clauses):
    """Facts of which at least one meets all clauses of a key, if any fact does.

    What a clause accepts is a union of ranges [low, high), each of which begins at the lowest
    fact, at a value or right behind a value.
    """
    values = []
    for clause in clauses:
        values += clause.values
    if key == "os":
        return _SYSTEMS
    if key == "gpu":
        return GPU_NAMES
    if key in _VERSIONS:
        return [[0]] + values + [value[:-1] + [value[-1] + 1] for value in values]
    if key == "memory":
        return [0] + values + [value + 1 for value in values]
    if key == "gpus":
        return [n for value in [0] + values for n in [value, value + 1] if n <= _MOST_GPUS]
    numbers = [10]
    for value in values:
        current = _current(value.number)
        numbers += [value.number, value.number + 1, current]
        if value.suffix == "f":
            for family in _FAMILIES:
                if current in family:
                    numbers += family
    return [
        struct(number = number, suffix = suffix)
        for number in numbers
        for suffix in ["", "f", "a", _DEVICE]
        if number < 1000
    ]

def _contradiction(clauses):
    by_key = {}
    for clause in clauses:
        if clause.key != "hardware":
            by_key.setdefault(clause.key, []).append(clause)
    for key in sorted(by_key):
        met = False
        for fact in _candidates(key, by_key[key]):
            if all([_holds(clause, fact) for clause in by_key[key]]):
                met = True
                break
        if not met:
            return "no {} meets {}".format(key, requirement_text(by_key[key]))
    return None

# --- Text ---

def _skip_space(text, at):
    for i in range(at, len(text)):
        if text[i] not in _SPACE:
            return i
    return len(text)

def _take_word(text, at):
    """The word at a position behind white space, and where it ends."""
    at = _skip_space(text, at)
    for i in range(at, len(text)):
        if text[i] not in _WORD:
            return text[at:i], i
    return text[at:], len(text)

def _take(text, at, symbol):
    """Where a symbol ends that stands there, else -1."""
    at = _skip_space(text, at)
    return at + len(symbol) if text[at:at + len(symbol)] == symbol else -1

def _expected(what, text, at):
    return "expected {} at position {}".format(what, _skip_space(text, at))

def _take_value(text, at, key):
    word, end = _take_word(text, at)
    if not word:
        return None, None, at, _expected("a value", text, at)
    value, error = _parse_value(key, word)
    if error:
        return None, None, at, error
    return value, (_target_text(value) if key == "sm" else word), end, None

def _clause(key, operator, values = [], texts = []):
    return struct(key = key, operator = operator, values = values, texts = texts)

def _take_comparison(text, at, key, operator):
    value, word, at, error = _take_value(text, at, key)
    if error:
        return None, at, error
    if operator == "==":
        return _clause(key, "in", [value], [word]), at, None
    if operator != "!=":
        if key in _UNORDERED:
            return None, at, "{} has no order; use ==, != or in".format(key)
        if key == "sm" and value.suffix:
            return None, at, "{} compares numbers; write {}, or sm=={}".format(
                operator,
                _number_text(value.number),
                word,
            )
    return _clause(key, operator, [value], [word]), at, None

def _take_list(text, at, key):
    end = _take(text, at, "{")
    if end < 0:
        return None, at, _expected("{ after in", text, at)
    at = end
    values, texts = [], []
    for _ in range(len(text)):
        value, word, at, error = _take_value(text, at, key)
        if error:
            return None, at, error
        values.append(value)
        texts.append(word)
        end = _take(text, at, "}")
        if end >= 0:
            return _clause(key, "in", values, texts), end, None
        end = _take(text, at, ",")
        if end < 0:
            break
        at = end
    return None, at, _expected(", or }", text, at)

def _take_clause(text, at):
    key, end = _take_word(text, at)
    if not key:
        return None, at, _expected("a key", text, at)
    if key not in _KEYS:
        return None, at, "\"{}\" is no key; keys are {}".format(key, ", ".join(_KEYS))
    at = end
    if key == "hardware":
        return _clause(key, ""), at, None
    for operator in _OPERATORS:
        end = _take(text, at, operator)
        if end >= 0:
            return _take_comparison(text, end, key, operator)
    word, end = _take_word(text, at)
    if word != "in":
        return None, at, _expected(">=, >, <=, <, ==, != or in after " + key, text, at)
    return _take_list(text, end, key)

def _parse(text):
    if len(text) > _MOST_CHARACTERS:
        return None, "it has more than {} characters".format(_MOST_CHARACTERS)
    at = _skip_space(text, 0)
    if at == len(text):
        return None, "it is empty"
    clauses = []
    for _ in range(len(text)):
        clause, at, error = _take_clause(text, at)
        if error:
            return None, error
        clauses.append(clause)
        at = _skip_space(text, at)
        if at == len(text):
            break
        end = _take(text, at, "&")
        if end < 0:
            return None, _expected("& or the end", text, at)
        at = end
    error = _contradiction(clauses)
    return (None, error) if error else (clauses, None)

def parse_requirement(text):
    """Reads a requirement.

    Args:
        text: Such as "sm>=9.0 & cudnn>=9.13".

    Returns:
        Clauses that must all be met, and None; or None and what is wrong, contradictions
        between clauses of one key included.
    """
    clauses, error = _parse(text)
    if error:
        quoted = text if len(text) <= 100 else text[:100] + "..."
        return None, "requirement \"{}\": {}".format(quoted, error)
    return clauses, None

# --- Evaluation ---

def _parse_fact(key, text):
    if key == "hardware":
        if text not in ["yes", "no"]:
            return None, "fact hardware=\"{}\": expected yes or no".format(text)
        return text == "yes", None
    if key == "gpu":
        return text, None  # of a GPU that this version does not know, too
    value, error = _parse_value(key, text)
    if key == "sm" and not error:
        value = struct(number = value.number, suffix = _DEVICE)
    return value, error

def evaluate_requirement(clauses, facts):
    """Holds a requirement against what is known of a machine.

    Args:
        clauses: What `parse_requirement` gave.
        facts: Texts by key, as in a requirement (`sm` is the device's). "none" says that the
            machine has no such thing, which no clause accepts; a key that is absent or "?" is
            not known. `hardware` is "yes" or "no". `target` in the place of `sm` asks about
            code that is compiled for that target.

    Returns:
        A struct with `verdict` ("met", "unmet" or "unknown") and `findings`, pairs of a clause
        that is not met (or not known to be) and what was found; and None. Or None and what is
        wrong with a fact.
    """
    unmet, unknown = [], []
    for clause in clauses:
        key = clause.key
        text = facts.get(key, "?")
        if key == "sm" and "target" in facts:
            text = facts["target"]
            found, error = _parse_target(text)
        elif text == "none":
            unmet.append((_clause_text(clause), _ABSENT.get(key, "no GPU")))
            continue
        elif text == "?":
            unknown.append((_clause_text(clause), "unknown"))
            continue
        else:
            found, error = _parse_fact(key, text)
        if error:
            return None, error
        if not _holds(clause, found):
            name = "an emulated device" if key == "hardware" else text
            unmet.append((_clause_text(clause), name))
    if unmet:
        return struct(verdict = "unmet", findings = unmet), None
    if unknown:
        return struct(verdict = "unknown", findings = unknown), None
    return struct(verdict = "met", findings = []), None

def evaluation_text(evaluation):
    """Prints what `evaluate_requirement` gave.

    Args:
        evaluation: Its struct.

    Returns:
        "met", or such as "unmet: cudnn>=9.13 found 9.10.2; gpus>=2 found 1".
    """
    if not evaluation.findings:
        return evaluation.verdict
    return evaluation.verdict + ": " + "; ".join([
        clause + " found " + found
        for clause, found in evaluation.findings
    ])
