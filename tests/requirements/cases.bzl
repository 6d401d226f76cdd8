# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What requirements mean, for every implementation of the language.

A line is one case, in three cells:

    REQUIREMENT | FACTS   | VERDICT     what it comes to on a machine, with what was found
    REQUIREMENT | targets | TARGETS     of TARGETS, those that code with it can be compiled for
    REQUIREMENT | error   | TEXT        no requirement, and a part of what is said about it

Starlark loads this file; C++ and Python read the lines between the quotes.
"""

TARGETS = "7.5 8.0 8.6 8.7 8.8 8.9 9.0 9.0a 10.0 10.0f 10.0a 10.3 10.3f 10.3a 10.7 10.7f 10.7a 11.0 11.0f 11.0a 12.0 12.0f 12.0a 12.1 12.1f 12.1a"

CASES = """
# Compute capability of a device: numbers.
sm>=9.0 | sm=9.0 | met
sm>=9.0 | sm=8.9 | unmet: sm>=9.0 found 8.9
sm>=9.0 | sm=10.0 | met
sm>=9.0 | sm=12.1 | met
sm>9.0 | sm=9.0 | unmet: sm>9.0 found 9.0
sm>9.0 | sm=10.0 | met
sm<9.0 | sm=8.9 | met
sm<9.0 | sm=10.0 | unmet: sm<9.0 found 10.0
sm<=8.9 | sm=8.9 | met
sm<=8.9 | sm=9.0 | unmet: sm<=8.9 found 9.0
sm>=9.0 & sm<12.0 | sm=10.3 | met
sm>=9.0 & sm<12.0 | sm=12.0 | unmet: sm<12.0 found 12.0
sm>=9.0 & sm<12.0 | sm=8.0 | unmet: sm>=9.0 found 8.0
sm==9.0 | sm=9.0 | met
sm==9.0 | sm=10.0 | unmet: sm==9.0 found 10.0
sm!=9.0 | sm=10.0 | met
sm!=9.0 | sm=9.0 | unmet: sm!=9.0 found 9.0
sm in {8.0, 9.0} | sm=8.0 | met
sm in {8.0, 9.0} | sm=8.6 | unmet: sm in {8.0, 9.0} found 8.6
sm>=sm_90 | sm=9.0 | met
sm>=13.0 | sm=12.1 | unmet: sm>=13.0 found 12.1
sm>=9.0 | sm=none | unmet: sm>=9.0 found no GPU
sm!=9.0 | sm=none | unmet: sm!=9.0 found no GPU
sm>=9.0 | sm=? | unknown: sm>=9.0 found unknown
sm>=9.0 | os=linux | unknown: sm>=9.0 found unknown

# Compute capability of a device: code of a family or an architecture.
sm==9.0a | sm=9.0 | met
sm==9.0a | sm=10.0 | unmet: sm==9.0a found 10.0
sm!=9.0a | sm=9.0 | unmet: sm!=9.0a found 9.0
sm!=9.0a | sm=10.0 | met
sm in {10.0a, 10.3a} | sm=10.0 | met
sm in {10.0a, 10.3a} | sm=10.3 | met
sm in {10.0a, 10.3a} | sm=10.7 | unmet: sm in {10.0a, 10.3a} found 10.7
sm==10.0f | sm=10.0 | met
sm==10.0f | sm=10.3 | met
sm==10.0f | sm=10.7 | met
sm==10.0f | sm=11.0 | unmet: sm==10.0f found 11.0
sm==10.0f | sm=9.0 | unmet: sm==10.0f found 9.0
sm==10.3f | sm=10.0 | unmet: sm==10.3f found 10.0
sm==10.3f | sm=10.3 | met
sm==12.0f | sm=12.1 | met
sm==12.1f | sm=12.0 | unmet: sm==12.1f found 12.0
sm==10.1a | sm=11.0 | met
sm in {9.0a, 12.0f} | sm=12.1 | met

# Libraries and drivers: as many components count as the requirement writes.
cudnn>=9.13 | cudnn=9.13.0 | met
cudnn>=9.13 | cudnn=9.13.1.26 | met
cudnn>=9.13 | cudnn=9.9.0 | unmet: cudnn>=9.13 found 9.9.0
cudnn>=9.9 | cudnn=9.10.2 | met
cudnn>9.13 | cudnn=9.13.1 | unmet: cudnn>9.13 found 9.13.1
cudnn>9.13 | cudnn=9.14.0 | met
cudnn>9.13.0 | cudnn=9.13.1 | met
cudnn<=9.13 | cudnn=9.13.1 | met
cudnn<=9.13 | cudnn=9.14 | unmet: cudnn<=9.13 found 9.14
cudnn<9.13 | cudnn=9.13.0 | unmet: cudnn<9.13 found 9.13.0
cudnn<9.13 | cudnn=9.12.9 | met
cudnn==9.13 | cudnn=9.13.1 | met
cudnn==9.13.0 | cudnn=9.13 | met
cudnn==9.13.0 | cudnn=9.13.1 | unmet: cudnn==9.13.0 found 9.13.1
cudnn!=9.10.0 | cudnn=9.10.0 | unmet: cudnn!=9.10.0 found 9.10.0
cudnn!=9.10.0 | cudnn=9.10.1 | met
cudnn!=9.10 | cudnn=9.10.1 | unmet: cudnn!=9.10 found 9.10.1
cudnn in {9.10, 9.13.1} | cudnn=9.10.2 | met
cudnn in {9.10, 9.13.1} | cudnn=9.13.0 | unmet: cudnn in {9.10, 9.13.1} found 9.13.0
cudnn>=9.13 | cudnn=none | unmet: cudnn>=9.13 found no cuDNN
cudnn!=9.13 | cudnn=none | unmet: cudnn!=9.13 found no cuDNN
cudnn>=9.13 | cudnn=? | unknown: cudnn>=9.13 found unknown
nccl>=2.28 | nccl=2.28.3 | met
nccl>=2.28 | nccl=2.9.9 | unmet: nccl>=2.28 found 2.9.9
nccl>=2.28 | nccl=none | unmet: nccl>=2.28 found no NCCL
driver>=580 | driver=580.95.05 | met
driver>=580 | driver=575.57.08 | unmet: driver>=580 found 575.57.08
driver==580 | driver=580.95.05 | met
driver>=580.95.06 | driver=580.95.05 | unmet: driver>=580.95.06 found 580.95.05
driver>=580 | driver=none | unmet: driver>=580 found no driver
cuda>=13.0 | cuda=13.0 | met
cuda>=13.0 | cuda=13 | met
cuda>=13.0 | cuda=12.9 | unmet: cuda>=13.0 found 12.9
cuda>=12.9 & cuda<13.2 | cuda=13.1 | met
cuda>=13.0 | cuda=none | unmet: cuda>=13.0 found no CUDA

# GPUs and their memory.
gpus>=2 | gpus=2 | met
gpus>=2 | gpus=8 | met
gpus>=2 | gpus=1 | unmet: gpus>=2 found 1
gpus>=2 | gpus=0 | unmet: gpus>=2 found 0
gpus==1 | gpus=1 | met
gpus==1 | gpus=8 | unmet: gpus==1 found 8
gpus==0 | gpus=0 | met
gpus in {2, 4, 8} | gpus=4 | met
gpus>=10 | gpus=9 | unmet: gpus>=10 found 9
memory>=40GiB | memory=80GiB | met
memory>=40GiB | memory=40GiB | met
memory>=40GiB | memory=40536MiB | unmet: memory>=40GiB found 40536MiB
memory>=40GiB | memory=81559MiB | met
memory>=1TiB | memory=1023GiB | unmet: memory>=1TiB found 1023GiB
memory<16GiB | memory=16383MiB | met
memory>512KiB | memory=1MiB | met
memory>=40GiB | memory=none | unmet: memory>=40GiB found no GPU
gpu==h100 | gpu=h100 | met
gpu==h100 | gpu=h200 | unmet: gpu==h100 found h200
gpu in {b200, gb200} | gpu=gb200 | met
gpu!=rtx5090 | gpu=rtx5090 | unmet: gpu!=rtx5090 found rtx5090
gpu!=rtx5090 | gpu=l4 | met
gpu==a100-40gb | gpu=a100 | unmet: gpu==a100-40gb found a100
gpu==h100 | gpu=titan | unmet: gpu==h100 found titan
gpu==h100 | gpu=none | unmet: gpu==h100 found no GPU

# Systems, and real devices.
os==linux | os=linux | met
os==linux | os=windows | unmet: os==linux found windows
os!=windows | os=macos | met
os in {linux, windows} | os=windows | met
os in {linux, windows} | os=macos | unmet: os in {linux, windows} found macos
hardware | hardware=yes | met
hardware | hardware=no | unmet: hardware found an emulated device
hardware | hardware=none | unmet: hardware found no GPU
hardware | hardware=? | unknown: hardware found unknown
hardware | os=linux | unknown: hardware found unknown

# Several keys: everything that is not met is told, in the order of the requirement.
sm>=9.0 & cudnn>=9.13 | sm=9.0 cudnn=9.13.0 | met
sm>=9.0 & cudnn>=9.13 | sm=8.0 cudnn=9.10.2 | unmet: sm>=9.0 found 8.0; cudnn>=9.13 found 9.10.2
cudnn>=9.13 & sm>=9.0 | sm=8.0 cudnn=9.10.2 | unmet: cudnn>=9.13 found 9.10.2; sm>=9.0 found 8.0
sm>=9.0 & cudnn>=9.13 | sm=9.0 | unknown: cudnn>=9.13 found unknown
sm>=9.0 & cudnn>=9.13 | sm=8.0 | unmet: sm>=9.0 found 8.0
hardware & gpus>=2 & os==linux | hardware=no gpus=1 os=linux | unmet: hardware found an emulated device; gpus>=2 found 1
sm>=9.0&hardware&memory>=40GiB | sm=9.0 hardware=yes memory=80GiB | met
sm >= 9.0   &hardware | sm=9.0 hardware=yes | met
gpus >=2& nccl>= 2.28 | gpus=8 nccl=2.28.3 | met
sm in{8.0,9.0} | sm=9.0 | met
sm in { 8.0 ,9.0 } & os == linux | sm=9.0 os=linux | met

# Targets that code is compiled for.
sm>=12.1 | targets | 12.1 12.1f 12.1a
sm>12.0 | targets | 12.1 12.1f 12.1a
sm<8.0 | targets | 7.5
sm<=8.0 | targets | 7.5 8.0
sm>=8.9 & sm<10.0 | targets | 8.9 9.0 9.0a
sm>=8.9&sm<10.0 | targets | 8.9 9.0 9.0a
sm  >=  8.9  &  sm <10.0 | targets | 8.9 9.0 9.0a
sm==9.0 | targets | 9.0 9.0a
sm==9.0a | targets | 9.0a
sm in {9.0a} | targets | 9.0a
sm in{9.0a} | targets | 9.0a
sm in {sm_90a, compute_120a} | targets | 9.0a 12.0a
sm>=sm_121 | targets | 12.1 12.1f 12.1a
sm in {10.0a, 10.3a} | targets | 10.0a 10.3a
sm in {10.0f} | targets | 10.0f 10.0a 10.3f 10.3a 10.7f 10.7a
sm in {10.3f} | targets | 10.3f 10.3a 10.7f 10.7a
sm in {10.7f} | targets | 10.7f 10.7a
sm in {10.1f} | targets | 11.0f 11.0a
sm in {10.1a} | targets | 11.0a
sm in {11.0f} | targets | 11.0f 11.0a
sm in {12.0f} | targets | 12.0f 12.0a 12.1f 12.1a
sm in {13.0f} | error | no sm meets sm==13.0f
sm in {13.0f, 9.0a} | targets | 9.0a
sm in {9.0a, 12.0f} | targets | 9.0a 12.0f 12.0a 12.1f 12.1a
sm in {7.5, 8.0} | targets | 7.5 8.0
sm>=9.0 & sm!=9.0a & sm<10.0 | targets | 9.0
sm==9.0 & sm!=9.0a | targets | 9.0
sm>=9.0 & sm!=9.0 & sm<10.0 | targets | none
sm>=10.0 & sm<11.0 & sm!=10.0f | targets | 10.0 10.3 10.7
sm>=13.0 | targets | none

# Contradictions.
sm>=12.0 & sm<9.0 | error | no sm meets sm>=12.0 & sm<9.0
sm>=9.0 & sm<9.0 | error | no sm meets sm>=9.0 & sm<9.0
sm==9.0 & sm==10.0 | error | no sm meets sm==9.0 & sm==10.0
sm==9.0a & sm>=10.0 | error | no sm meets sm==9.0a & sm>=10.0
sm==9.0 & sm!=9.0 | error | no sm meets sm==9.0 & sm!=9.0
sm==12.0f & sm<12.0 | error | no sm meets sm==12.0f & sm<12.0
sm in {9.0a, 10.0a} & sm in {8.0, 12.0} | error | no sm meets sm in {9.0a, 10.0a} & sm in {8.0, 12.0}
sm<1.0 | error | no sm meets sm<1.0
sm<1.0a | error | the suffix 'a' exists from 9.0 on
sm>99.9 | error | no sm meets sm>99.9
cudnn>=9.13 & cudnn<9.13 | error | no cudnn meets cudnn>=9.13 & cudnn<9.13
cudnn>9.13 & cudnn<=9.13 | error | no cudnn meets cudnn>9.13 & cudnn<=9.13
cudnn==9.13 & cudnn!=9.13 | error | no cudnn meets cudnn==9.13 & cudnn!=9.13
cudnn==9.13 & cudnn!=9.13.0 | cudnn=9.13.1 | met
cudnn>=9.13 & cudnn<9.9 | error | no cudnn meets cudnn>=9.13 & cudnn<9.9
driver<0 | error | no driver meets driver<0
gpus>=2 & gpus==1 | error | no gpus meets gpus>=2 & gpus==1
gpus>1 & gpus<2 | error | no gpus meets gpus>1 & gpus<2
gpus<0 | error | no gpus meets gpus<0
gpus>1024 | error | no gpus meets gpus>1024
memory>=80GiB & memory<=40GiB | error | no memory meets memory>=80GiB & memory<=40GiB
memory<0GiB | error | no memory meets memory<0GiB
os==linux & os==windows | error | no os meets os==linux & os==windows
os!=linux & os!=windows & os!=macos | error | no os meets os!=linux & os!=windows & os!=macos
gpu==h100 & gpu!=h100 | error | no gpu meets gpu==h100 & gpu!=h100
hardware & sm>=9.0 & gpus>=8 & sm<8.0 | error | no sm meets sm>=9.0 & sm<8.0

# Not of the language.
 | error | it is empty
9.0 | error | "9.0" is no key; keys are cuda, cudnn, driver, gpu, gpus, hardware, memory, nccl, os, sm
>=9.0 | error | expected a key at position 0
arch>=9.0 | error | "arch" is no key
SM>=9.0 | error | "SM" is no key
cudnnv>=9 | error | "cudnnv" is no key
sm | error | expected >=, >, <=, <, ==, != or in after sm at position 2
sm 9.0 | error | expected >=, >, <=, <, ==, != or in after sm at position 3
sm=9.0 | error | expected >=, >, <=, <, ==, != or in after sm at position 2
cudnn~=9.13 | error | expected >=, >, <=, <, ==, != or in after cudnn at position 5
gpus | error | expected >=, >, <=, <, ==, != or in after gpus
sm>= | error | expected a value at position 4
sm>=& | error | expected a value at position 4
sm>=9 | error | "9" is no compute capability
sm>=9.00 | error | "9.00" is no compute capability
sm>=09.0 | error | "09.0" is no compute capability
sm>=100.0 | error | "100.0" is no compute capability
sm>=9.0b | error | "9.0b" is no compute capability
sm>=h100 | error | "h100" is no compute capability
sm>=9.0a | error | >= compares numbers; write 9.0, or sm==9.0a
sm<10.0f | error | < compares numbers; write 10.0, or sm==10.0f
sm>=9.0 sm<12.0 | error | expected & or the end at position 8
sm>=9.0, sm<12.0 | error | expected & or the end at position 7
sm>=9.0 & | error | expected a key at position 9
& sm>=9.0 | error | expected a key at position 0
sm>=9.0 && sm<12.0 | error | expected a key at position 9
sm>=9.0 | sm<8.0 | error | expected & or the end at position 8
sm in 9.0a | error | expected { after in at position 6
sm in { | error | expected a value at position 7
sm in {} | error | expected a value at position 7
sm in {9.0a | error | expected , or } at position 11
sm in {9.0a,} | error | expected a value at position 12
sm in {9.0a 10.0a} | error | expected , or } at position 12
sm in {8.9a} | error | "8.9a": the suffix 'a' exists from 9.0 on
sm in {9.0f} | error | "9.0f": the suffix 'f' exists from 10.0 on
sm in {9.0A} | error | "9.0A" is no compute capability
hardware==yes | error | expected & or the end at position 8
hardware>=1 | error | expected & or the end at position 8
cudnn>=v9 | error | "v9" is no version; expected numbers and dots, as in 9.13
cudnn>=9. | error | "9." is no version
cudnn>=9..1 | error | "9..1" is no version
cudnn>=1.2.3.4.5 | error | "1.2.3.4.5" is no version
cudnn>=9.13rc1 | error | "9.13rc1" is no version
driver>=1234567890 | error | "1234567890" is no version
gpus>=two | error | "two" is no number of GPUs; expected 0 to 1024
gpus>=-1 | error | "-1" is no number of GPUs
gpus>=2000 | error | "2000" is no number of GPUs
memory>=40 | error | "40" is no size; expected for example 40GiB
memory>=40GB | error | "40GB" is no size
memory>=GiB | error | "GiB" is no size
memory>=1.5GiB | error | "1.5GiB" is no size
os==plan9 | error | "plan9" is no operating system; expected linux, macos or windows
os==Linux | error | "Linux" is no operating system
os>=linux | error | os has no order; use ==, != or in
gpu==h1000 | error | "h1000" is no GPU that is known; known are a10, a100, a100-40gb,
gpu==H100 | error | "H100" is no GPU that is known
gpu in {h100, rtx5080} | error | "rtx5080" is no GPU that is known
gpu>=h100 | error | gpu has no order; use ==, != or in
gpu==sm_90 | error | "sm_90" is no GPU that is known

# Facts that are none.
sm>=9.0 | sm=nine | error: "nine" is no compute capability
cudnn>=9.13 | cudnn=new | error: "new" is no version
hardware | hardware=maybe | error: fact hardware="maybe": expected yes or no
memory>=1GiB | memory=80 | error: "80" is no size
"""
