import { getHeapStatistics } from 'node:v8'
import { expect, it } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { giveBackMemoryWhenQuiet } from './give-back-memory.ts'

const heapMb = () => getHeapStatistics().total_heap_size / 1e6

it('gives the memory of a busy time back when the process is quiet, without a request that would allocate', async () => {
  const before = heapMb()
  const kept: object[] = []
  // Other files of this worker may have left room that is filled first.
  while (heapMb() < before + 40) kept.push(Array.from({ length: 100_000 }, (_, n) => ({ n })))
  const peak = heapMb()
  kept.length = 0
  let asked = 0
  const stop = giveBackMemoryWhenQuiet(() => asked++, 50)
  await eventually(() => expect(heapMb()).toBeLessThan(peak - 30))
  expect(asked).toBe(1)
  stop()
})
