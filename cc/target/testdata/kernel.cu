// A kernel.
// warpyard-requires: sm in {10.0a, 10.3a}
// warpyard-requires: sm>=9.0
__global__ void k() {}
