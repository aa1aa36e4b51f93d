# SPDX-License-Identifier: Apache-2.0
#
# For a Spack repository: put this file into packages/byway. Name a source tarball (make dist) in its
# place with `spack install byway` in a mirror, or a checkout with `spack develop`.

from spack.package import *


class Byway(MakefilePackage):
    """Bypass policies of a GPU's L1 data cache: RTL, a bit-exact C model, a timing simulator fed by
    traces of OpenCL and CUDA programs that are captured without a GPU."""

    maintainers("byway")
    license("Apache-2.0")

    version("0.2.0")

    variant("capture", default=True, description="capture traces of OpenCL and CUDA programs")
    variant("sqlite", default=True, description="sweep results as a database")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("gmake@4:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("zstd")
    depends_on("jansson")
    depends_on("xxhash")
    depends_on("xz")
    depends_on("lz4")
    depends_on("elfutils")
    depends_on("zlib-api")
    depends_on("sqlite", when="+sqlite")
    depends_on("llvm@14:21 +clang +libclc", when="+capture", type=("build", "link", "run"))
    depends_on("opencl-c-headers", when="+capture", type="build")

    def build(self, spec, prefix):
        make("all")

    def install(self, spec, prefix):
        make("install", f"PREFIX={prefix}")

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(join_path(self.prefix.bin, "byway"))("run", "-w", "nw_nospm", "-p", "bl")
