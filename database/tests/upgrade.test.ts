import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/**
 * Nodes of the version before serve while a new one migrates (docs/operations.md, Upgrading): a migration adds first, and what the
 * version before names is taken away by a later version's. What takes away says so in a line `-- Contract: …`, which tells since
 * when nothing has used it.
 */
const folder = fileURLToPath(new URL('../migrations/', import.meta.url))
/** The files that make the schema of the first release; nothing served before them. */
const lastOfFirstRelease = 35

const takesAway = [
  /\bdrop\s+(table|view|schema|type)\b/,
  /\bdrop\s+column\b/,
  /\bdrop\s+function\s+(if\s+exists\s+)?public\./,
  /\brename\s+(column\s+)?\w+\s+to\b/,
  /\brename\s+to\b/,
  /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/,
  /\balter\s+column\s+\w+\s+set\s+not\s+null\b/,
  /\brevoke\s+(select|insert|update|delete|all)\b/,
]

/** What of a migration the version before could stumble over; comments do not count. */
function stumblingBlocks(sql: string): string[] {
  if (/^-- Contract: \S/m.test(sql)) return []
  const text = sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').toLowerCase()
  return takesAway.flatMap((pattern) => text.match(pattern)?.[0] ?? [])
}

describe('an upgrade while the previous version is running', () => {
  it('finds a migration that drops what is in use', () => {
    expect(stumblingBlocks('alter table public.posts drop column title;')).toEqual(['drop column'])
    expect(stumblingBlocks('alter table private.x rename column a to b;')).toEqual(['rename column a to'])
    expect(stumblingBlocks('ALTER TABLE x ALTER COLUMN n\n TYPE bigint')).toHaveLength(1)
    expect(stumblingBlocks('-- drop table x\nalter table x add column y int;')).toEqual([])
    expect(stumblingBlocks('-- Contract: nothing has read it since 0.3\nalter table x drop column y;')).toEqual([])
  })

  it('is never broken by a migration', () => {
    const later = readdirSync(folder).filter((name) => Number(name.slice(0, 4)) > lastOfFirstRelease)
    const found = later.flatMap((name) =>
      stumblingBlocks(readFileSync(`${folder}${name}`, 'utf8')).map((block) => `${name}: ${block}`),
    )
    expect(found).toEqual([])
  })
})
