#!/bin/sh
# Witmark's front door: needs only Python 3.11 or newer. `./do help` lists what it can do.
set -eu
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
VENV=${WITMARK_VENV:-$ROOT/.venv}

fail() { echo "do: $1" >&2; exit "${2:-4}"; }

python_of_this_machine() {
  for candidate in python3.11 python3.12 python3.13 python3 python; do
    if command -v "$candidate" >/dev/null 2>&1 &&
      "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  fail "no Python 3.11 or newer found on PATH; install one and run this again"
}

# environment: an empty one, if there is none. pip is there unless uv does its work.
environment() {
  [ -x "$VENV/bin/python" ] && return
  python=$(python_of_this_machine)
  if command -v uv >/dev/null 2>&1; then
    uv venv --quiet --python "$python" "$VENV" || fail "uv could not make $VENV; its message above says why"
  else
    "$python" -m venv "$VENV" ||
      fail "$python could not make $VENV; on Debian and Ubuntu: apt-get install python3-venv"
  fi
}

# install LOCK: an environment that holds exactly what LOCK names (it names everything that is
# needed, so nothing is added to it), stamped with the checksum of
# LOCK and of the place of this clone, so that a clone that was moved is put right.
install() {
  lock=$ROOT/$1
  stamp=$VENV/.installed-$({ cat "$lock"; echo "$ROOT"; } | cksum | cut -d' ' -f1)
  [ -e "$stamp" ] && return
  echo "do: preparing $VENV from $1 (once; about 900 megabytes)" >&2
  environment
  if command -v uv >/dev/null 2>&1; then
    uv pip install --quiet --python "$VENV/bin/python" --require-hashes --no-deps -r "$lock" ||
      fail "uv could not install $1; its message above says why"
  else
    "$VENV/bin/python" -m pip --version >/dev/null 2>&1 ||
      "$VENV/bin/python" -m ensurepip >/dev/null ||
      fail "there is no pip in $VENV; on Debian and Ubuntu: apt-get install python3-venv"
    "$VENV/bin/python" -m pip install -qq --disable-pip-version-check --require-hashes --no-deps -r "$lock" ||
      fail "pip could not install $1; its message above says why"
  fi
  "$VENV/bin/python" - "$ROOT/src" <<'PY'
import pathlib, site, sys
# a .pth file is read in the encoding of the locale, so it says the path in ASCII
line = f"import sys; sys.path.append({ascii(sys.argv[1])})\n"
pathlib.Path(site.getsitepackages()[0], "witmark-source.pth").write_text(line, encoding="ascii")
PY
  rm -f "$VENV"/.installed-*  # of another lock, or of another clone, whose source is not in use now
  : >"$stamp"
}

# run COMMAND: the product, which names its next commands the way it was called.
run() { WITMARK_PROGRAM=${WITMARK_PROGRAM:-$0} exec "$VENV/bin/python" -m witmark "$@"; }

stage() {
  echo "== $1" >&2
  shift
  "$@"
}

lint() {
  cd "$ROOT"
  stage "ruff check" "$VENV/bin/ruff" check .
  stage "ruff format" "$VENV/bin/ruff" format --check .
  stage "mypy" "$VENV/bin/mypy"
  stage "import contracts" "$VENV/bin/lint-imports"
  stage "rulebook drift" "$VENV/bin/python" tools/compile_rules.py --check
  stage "schema drift" "$VENV/bin/python" tools/export_schemas.py --check
  stage "docs drift" "$VENV/bin/python" tools/export_docs.py --check
  stage "sample drift" "$VENV/bin/python" tools/make_samples.py --check
  stage "case sample drift" "$VENV/bin/python" tools/make_case_sample.py --check
  stage "clauses" "$VENV/bin/python" tools/trace_clauses.py
}

# tests [PYTEST ARGUMENTS]: every test there is; the same stages in `test` and `check`.
# On every core, unless the caller says how many with -n.
tests() {
  cd "$ROOT"
  case " $* " in
    *" -n"*) "$VENV/bin/python" -m pytest "$@" ;;
    *) "$VENV/bin/python" -m pytest -n auto "$@" ;;
  esac
}

smoke() {
  cd "$ROOT"
  for bench in seeded determinism verify step regression spans graph calls replay races crash \
    fuzz gates diagnosis_replay diagnosis_crash change_gates change_crash queue real_model; do
    stage "bench $bench (sample)" "$VENV/bin/python" -m bench.$bench
  done
  # A limit in CPU seconds is judged on a quiet machine, not on a shared one: told, not held.
  stage "bench speed (sample; told, not held)" told "$VENV/bin/python" -m bench.speed
  stage "bench overhead (sample; told, not held)" told "$VENV/bin/python" -m bench.overhead
}

# told COMMAND: run it; that a limit was missed (exit 1) is no failure, anything else is.
told() {
  "$@" || [ $? -eq 1 ]
}

help() {
  cat <<'TEXT'
./do review FILE.step     review a STEP file; writes FILE.witmark/report.html and more
./do features FILE.step   list every face, its feature and its dimensions (--json)
./do ask QUESTION         answer from a folder of notes (--workspace DIR), with sources
./do ingest DIR           index a folder of notes; --watch follows it
./do open REF             show a cited source with its place marked
./do runs, ./do export    what was asked; everything kept, as one bundle
./do import BUNDLE        such a bundle, put back for an empty workspace
./do serve                a workspace over HTTP, on this machine alone
./do diagnose CASE        diagnose a bug: a folder or archive with a report, logs and source
./do case COMMAND         case packages: new, add, list, status, show, change, deliver, ...
./do work                 diagnose what was queued by ./do case enqueue; --list, --wait
./do trace REF            print what a citation points at, in context
./do verify DIR           decide a report's verdicts again and check every byte
./do models check         send one tiny request to every model that is set up; ./do models list
./do doctor               what this machine lacks, and how to get it
./do test [ARGS]          run the tests (ARGS go to pytest)
./do check                lint, every test, and the benchmarks' samples: what CI runs
./do bench NAME           one benchmark; --data PATH, --full. Review: step, speed, seeded,
                          determinism, verify, pictures, mfcad; answers: regression,
                          aliases, retrieval, spans, graph, scale, answers; models:
                          calls, overhead, crash (needs strace), races, replay, fuzz,
                          fuzz_review, real_model; diagnosis: bugs, gates,
                          diagnosis_crash, change_crash (both need strace),
                          change_gates, diagnosis_replay, queue
./do help                 this list
TEXT
}

command=${1:-help}
[ $# -gt 0 ] && shift
case $command in
  help | --help | -h) help ;;
  test) install requirements-dev.lock; tests "$@" ;;
  check) install requirements-dev.lock; lint; stage "tests" tests; smoke ;;
  lint) install requirements-dev.lock; lint ;;
  bench)
    install requirements-dev.lock
    [ $# -gt 0 ] || fail "which benchmark? ./do help lists them" 2
    name=$1; shift
    [ -f "$ROOT/bench/$name.py" ] || fail "no benchmark is called $name; ./do help lists them" 2
    PYTHONPATH=$ROOT exec "$VENV/bin/python" -m "bench.$name" "$@" ;;
  *)
    if [ -e "$VENV/bin/ruff" ]; then install requirements-dev.lock; else install requirements.lock; fi
    run "$command" "$@" ;;
esac
