"""Small cases as folders, as people hand them in."""

LOAD = """class LoadError(Exception):
    pass


def check(name):
    if not name:
        raise LoadError(f"cannot load table {name!r} from disk")
    return name[0]


class Table:
    def load(self, name):
        return check(name)

    def save(self, name):
        return check(name) + self.load(name)
"""
PYTHON = {
    "report.md": (
        "# Empty names crash\n\nWith 1.0 it worked, in 1.1 `Table.load` crashes. "
        "It looks as if a check is missing.\n\nTraceback (most recent call last):\n"
        '  File "/app/pkg/load.py", line 13, in load\n    return check(name)\n'
        '  File "/app/pkg/load.py", line 7, in check\n'
        '    raise LoadError(f"cannot load table {name!r} from disk")\n'
        "pkg.load.LoadError: cannot load table '' from disk\n"
    ),
    "source/pkg/load.py": LOAD,
    "good/pkg/load.py": LOAD.replace("if not name:", "if name is None:"),
    "config/good/app.toml": "a = 1\nb = 2\n",
    "config/app.toml": "a = 1\nb = 3\n",
    "coverage/lcov.info": "SF:pkg/load.py\nDA:6,1\nDA:13,1\nDA:16,0\nend_of_record\n",
}


def laid_out(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder
