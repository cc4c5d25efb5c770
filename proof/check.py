"""Lets Coq read the proofs, prints what each theorem rests on, and ends in an error where that is more than the library's axioms.

    python3 proof/check.py        # what `make proof` types

What is compiled lands in build/proof; a file is read again if it, or one before it, has changed.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent
BUILT = ROOT.parent / "build" / "proof"
FILES = ("sums", "laplace", "caps", "ledger", "copies", "courses", "sampler")
"""In the order in which they lean on each other."""
AXIOMS = {
    "propositional_extensionality",
    "functional_extensionality_dep",
    "constructive_indefinite_description",
}
"""What mathcomp-analysis takes for granted (its file boolp.v): classical logic, with choice."""
PACKAGES = "coq libcoq-mathcomp-analysis libcoq-mathcomp-algebra-tactics"
MISSING = f"proof: Coq is missing; on Debian 12 type: apt-get install -y --no-install-recommends {PACKAGES}"
OTHER = "proof: written for Coq 8.16 with mathcomp 1.15 and mathcomp-analysis 0.6, as Debian 12 has them; here is Coq "


def missing() -> str:
    """Returns what keeps the proofs from being read here, or nothing."""
    if not shutil.which("coqc"):
        return MISSING
    version = run("--print-version").split()[0]
    if not version.startswith("8.16."):
        return OTHER + version
    path = Path(run("-where").strip()) / "user-contrib" / "mathcomp"
    libraries = [path, Path("/usr/lib/ocaml/coq/user-contrib/mathcomp")]
    if not any(
        (folder / "algebra_tactics").exists() and (folder / "analysis").exists()
        for folder in libraries
    ):
        return MISSING
    return ""


def run(*arguments: str) -> str:
    """Returns what coqc prints, or ends in its error."""
    answer = subprocess.run(  # noqa: S603
        ["coqc", *arguments],  # noqa: S607  # the Coq of whoever checks
        cwd=BUILT if BUILT.exists() else ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if answer.returncode:
        sys.exit(f"proof: Coq refuses\n{answer.stdout}{answer.stderr}")
    return answer.stdout


def compile_changed() -> None:
    """Compiles the files from the first one on that is not as it was when it was compiled last."""
    BUILT.mkdir(parents=True, exist_ok=True)
    changed = False
    for name in FILES:
        source = ROOT / f"{name}.v"
        copy = BUILT / source.name
        compiled = copy.with_suffix(".vo")
        text = source.read_text(encoding="utf-8")
        if changed or not compiled.exists() or copy.read_text(encoding="utf-8") != text:
            changed = True
            compiled.unlink(missing_ok=True)
            copy.write_text(text, encoding="utf-8")
            run("-Q", ".", "dpmap", "-w", "none", copy.name)


def theorems(name: str) -> list[str]:
    """Returns the names of a file's theorems."""
    text = (BUILT / f"{name}.v").read_text(encoding="utf-8")
    return re.findall(r"^Theorem (\w+)", text, re.MULTILINE)


def print_axioms() -> set[str]:
    """Prints what the theorems of each file rest on, and returns the axioms that are not the library's.

    Coq is asked once a file, about all of them together: it goes through the whole library each time.
    """
    named = {name: theorems(name) for name in FILES if theorems(name)}
    lines = [f"From dpmap Require {' '.join(named)}."]
    for name, listed in named.items():
        lines.append(
            f"Definition of_{name} := ({', '.join(f'@{name}.{one}' for one in listed)}, tt)."
        )
        lines.append(f'Goal True. idtac "== {name}". Abort. Print Assumptions of_{name}.')
    questions = BUILT / "assumptions.v"
    questions.write_text("\n".join(lines), encoding="utf-8")
    answers = run("-Q", ".", "dpmap", "-w", "none", questions.name).split("== ")[1:]
    beyond = set[str]()
    for answer in answers:
        name, *rest = answer.splitlines()
        if not rest or rest[0] not in ("Axioms:", "Closed under the global context"):
            sys.exit(f"proof: not understood: {answer}")
        axioms = {
            line.split()[0].split(".")[-1] for line in rest[1:] if re.match(r"[A-Za-z_]", line)
        }
        beyond |= axioms - AXIOMS
        listed = ", ".join(named[name])
        ground = ", ".join(sorted(axioms)) or "no axiom"
        print(f"{name}: {listed}\n    rest on: {ground}")  # noqa: T201
    if len(answers) != len(named):
        sys.exit("proof: not all files were answered for")
    return beyond


def main() -> None:
    """Compiles all proofs and prints what they rest on."""
    if reason := missing():
        sys.exit(reason)
    compile_changed()
    if beyond := print_axioms():
        sys.exit(f"proof: axioms beyond the library's: {', '.join(sorted(beyond))}")


if __name__ == "__main__":
    main()
