# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Work in threads, and its end."""

import threading
import time

from absl.testing import absltest, parameterized

from warpyard.cli.jobs import available_cores, run_all


class RunAllTest(parameterized.TestCase):
    @parameterized.parameters(1, 2, 100)
    def test_everything_is_done_once(self, jobs: int) -> None:
        results = {}
        run_all(list(range(20)), lambda n: n * n, results.__setitem__, jobs)
        self.assertEqual(results, {n: n * n for n in range(20)})

    def test_nothing_to_do(self) -> None:
        run_all([], lambda n: n, lambda n, r: self.fail(), 4)

    def test_runs_side_by_side(self) -> None:
        barrier = threading.Barrier(3, timeout=30)
        ranks = []
        run_all([0, 1, 2], lambda _: barrier.wait(), lambda _, rank: ranks.append(rank), 3)
        self.assertCountEqual(ranks, [0, 1, 2])

    def test_done_is_called_in_the_callers_thread(self) -> None:
        threads = set()
        run_all([1, 2], lambda n: n, lambda *_: threads.add(threading.current_thread()), jobs=2)
        self.assertEqual(threads, {threading.current_thread()})

    @parameterized.parameters(KeyboardInterrupt, RuntimeError)
    def test_an_error_in_done_stops_what_has_not_begun(self, kind: type) -> None:
        begun = []

        def work(n: int) -> int:
            begun.append(n)
            time.sleep(0.05)
            return n

        def done(n: int, _: int) -> None:
            raise kind

        with self.assertRaises(kind):
            run_all(list(range(100)), work, done, 2)
        # All of them would take 2.5 s: long enough to be stopped on a busy machine.
        self.assertLess(len(begun), 100)
        count = len(begun)
        time.sleep(0.1)
        self.assertLen(begun, count, "a thread went on after run_all had ended")

    def test_an_error_in_work_is_raised(self) -> None:
        with self.assertRaises(ZeroDivisionError):
            run_all([1, 0, 2], lambda n: 1 // n, lambda *_: None, 1)

    def test_cores(self) -> None:
        self.assertGreaterEqual(available_cores(), 1)


if __name__ == "__main__":
    absltest.main()
