"""Builds the Python package with CMake, and puts the English model beside it: see docs/python.md.

COPSE_BUILD may name a folder that Copse is already built in: then what is there is brought up to date and used,
and nothing is compiled twice.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


def version():
    return re.search(r"project\(copse VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        existing = os.environ.get("COPSE_BUILD")
        folder = pathlib.Path(existing or self.build_temp).resolve()
        if not existing:
            self.configure(folder)
        subprocess.run(["cmake", "--build", folder, "--target", "copse_package"], check=True)
        package = folder / "python" / "copse"
        module = package / ("_copse" + sysconfig.get_config_var("EXT_SUFFIX"))
        if not module.exists():
            sys.exit(
                f"{module}: was not built; this needs pybind11-dev and the headers of {sys.executable}"
                " (python3-dev), and COPSE_BUILD, if set, must be a build for this Python"
            )
        to = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve().parent
        (to / "models").mkdir(parents=True, exist_ok=True)
        for file in (module, package / "libcopse_batch.so"):
            shutil.copy2(file, to)
        for file in (ROOT / "models").iterdir():
            if file.suffix in (".copse", ".md"):
                shutil.copy2(file, to / "models")

    def configure(self, folder):
        """Only what the package needs."""
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        options = dict(
            CMAKE_BUILD_TYPE="Release",
            COPSE_BUILD_TESTS="OFF",
            COPSE_BUILD_BENCHMARKS="OFF",
            COPSE_BUILD_SERVER="OFF",
            Python_EXECUTABLE=sys.executable,
        )
        arguments = [f"-D{name}={value}" for name, value in options.items()]
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, *generator, *arguments], check=True)


setup(version=version(), ext_modules=[Extension("copse._copse", [])], cmdclass={"build_ext": CMakeBuild})
