/* SPDX-License-Identifier: Apache-2.0 */
int square(int x)
{
    return x * x;
}
