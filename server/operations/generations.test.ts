import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nextGeneration, parseKeep, removeOldGenerations } from './generations.ts'

describe('backup --keep', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ovation-generations-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const take = (day: number, { whole = true } = {}) => {
    const path = nextGeneration(folder, new Date(Date.UTC(2026, 0, day, 3, 30)))
    mkdirSync(path)
    if (whole) writeFileSync(join(path, 'manifest.json'), '{}')
  }

  it('keeps the newest complete backups, and touches nothing else', async () => {
    for (const day of [1, 3, 4, 5]) take(day)
    take(2, { whole: false })
    take(6, { whole: false }) // interrupted, or in progress
    mkdirSync(join(folder, 'of the operator'))
    const removed = await removeOldGenerations(folder, 2)
    expect(removed).toHaveLength(3)
    expect(readdirSync(folder).toSorted()).toEqual([
      '2026-01-04T03-30-00Z',
      '2026-01-05T03-30-00Z',
      '2026-01-06T03-30-00Z',
      'of the operator',
    ])
  })

  it('removes nothing while there are no more than it keeps', async () => {
    for (const day of [1, 2]) take(day)
    expect(await removeOldGenerations(folder, 2)).toEqual([])
    expect(readdirSync(folder)).toHaveLength(2)
  })

  it.each(['0', '-1', 'seven', '1.5'])('rejects %s', (text) => {
    expect(() => parseKeep(text)).toThrow(`--keep must be a whole number from 1 to 10000, not "${text}".`)
  })
})
