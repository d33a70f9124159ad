import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.ts'

/** The pattern of a row's id: `404-01`, `NOTI-18`, `API-REST-02`, `A11Y-01`. */
export const idPattern = '(?:404|[A-Z][A-Z0-9]*(?:-[A-Z]+)?)-\\d{2}'

const listedRow = new RegExp(`^- \\*\\*(${idPattern})\\*\\* (.+)$`)
const tableRow = new RegExp(`^\\| (${idPattern}) \\| (.+) \\|$`)
const decision = /^- \*\*(D\d+)\*\* /

/** @returns the text of each row in docs/specification.md by its id, in the document's order. A table's cells are joined by a dash. */
export function readSpecification(): ReadonlyMap<string, string> {
  const rows = new Map<string, string>()
  const decisions = new Set<string>()
  for (const line of readFileSync(join(root, 'docs/specification.md'), 'utf8').split('\n')) {
    const [, decided] = decision.exec(line) ?? []
    if (decided !== undefined && decisions.has(decided)) throw new Error(`docs/specification.md has ${decided} twice.`)
    if (decided !== undefined) decisions.add(decided)
    const [, id, text] = listedRow.exec(line) ?? tableRow.exec(line) ?? []
    if (id === undefined || text === undefined) continue
    if (rows.has(id)) throw new Error(`docs/specification.md has ${id} twice.`)
    rows.set(id, text.replaceAll(' | ', ' – '))
  }
  return rows
}

export type Proof = { readonly id: string; readonly file: string; readonly title: string }

/** @returns whether the source of a test file has a test with this title that names the row: `it('title [NOTI-18, NOTI-19]', …)`. */
export function hasTest(source: string, { id, title }: Pick<Proof, 'id' | 'title'>): boolean {
  const titled = new RegExp(`(['"\`])${RegExp.escape(title)}((?: \\[[^\\]\\n]+\\])+)\\1`, 'g')
  return [...source.matchAll(titled)].some(([, , ids = '']) => ids.split(/[[\], ]+/).includes(id))
}

/** @returns the rows whose test has been read against the row (docs/spec-proofs.txt). */
export function readProofs(): readonly Proof[] {
  return readFileSync(join(root, 'docs/spec-proofs.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, id, file, title] = /^(\S+) (\S+): (.+)$/.exec(line) ?? []
      if (!id || !file || !title) throw new Error(`docs/spec-proofs.txt has a line that is no proof: ${line}`)
      return { id, file, title }
    })
}
