# SPDX-License-Identifier: Apache-2.0
"""rtl_slang.py ARGUMENT... - elaborates and analyses RTL with slang, from the wheel pyslang.

The arguments are those of slang's own command.  Prints slang's messages and exits 1 if there is an
error or a warning, those of -Wextra and -Wconversion included; exits 77 if this Python has no
pyslang.
"""
import sys

try:
    try:
        from pyslang.driver import Driver
    except ImportError:  # up to pyslang 9
        from pyslang import Driver
except ImportError:
    sys.exit(77)


def main():
    driver = Driver()
    driver.addStandardArgs()
    ready = driver.parseCommandLine(" ".join(["slang -Wextra -Wconversion -Werror", *sys.argv[1:]]))
    if not (ready and driver.processOptions() and driver.parseAllSources()):
        driver.reportDiagnostics(True)
        return 1
    compilation = driver.createCompilation()
    driver.reportCompilation(compilation, True)
    if hasattr(driver, "runAnalysis"):
        driver.runAnalysis(compilation)
    return 0 if driver.reportDiagnostics(True) else 1


sys.exit(main())
