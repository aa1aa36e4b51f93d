# SPDX-License-Identifier: Apache-2.0
"""Device memory for Triton without torch: what has data_ptr() and dtype is a tensor to Triton."""
import ctypes

import numpy as np

driver = ctypes.CDLL("libcuda.so.1")
NAMES = {"float32": "fp32", "float16": "fp16", "int32": "i32"}


class Tensor:
    """A copy of a numpy array on the device."""

    def __init__(self, array):
        self.array = np.ascontiguousarray(array)
        self.dtype = NAMES[str(self.array.dtype)]
        self.address = ctypes.c_uint64()
        self.size = ctypes.c_size_t(self.array.nbytes)
        assert driver.cuMemAlloc_v2(ctypes.byref(self.address), self.size) == 0
        assert driver.cuMemcpyHtoD_v2(self.address, self.host(self.array), self.size) == 0

    @staticmethod
    def host(array):
        return array.ctypes.data_as(ctypes.c_void_p)

    def data_ptr(self):
        return self.address.value

    def numpy(self):
        array = np.empty_like(self.array)
        assert driver.cuMemcpyDtoH_v2(self.host(array), self.address, self.size) == 0
        return array


def check(name, got, want, tolerance):
    """Prints "ok NAME", or "not ok NAME" with the largest distance."""
    far = float(np.abs(got.astype(np.float64) - want.astype(np.float64)).max())
    print(f"ok {name}" if far <= tolerance else f"not ok {name} ({far} away)", flush=True)
