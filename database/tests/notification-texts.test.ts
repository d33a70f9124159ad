import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DatabaseFixture, openDatabaseFixture } from './database-fixture.ts'

let world: DatabaseFixture
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())

/** Read from the functions that notify, so that the next migration's count as well. Groups of likes and comments have tests of their own. */
it('gives every notification a title and a message that don’t repeat each other [LOOP-17]', async () => {
  const functions = await world.query(
    `select p.proname as name, p.prosrc as source from pg_proc p
     where p.pronamespace = 'private'::regnamespace or p.pronamespace = 'public'::regnamespace`,
  )
  const texts = functions.flatMap(({ name, source }) => textsIn(String(source)).map((text) => ({ name, ...text })))
  expect(texts.length).toBeGreaterThan(30)
  const repeated = texts
    .map(({ name, title, message }) => ({ name, both: [...partsOf(title).intersection(partsOf(message))] }))
    .filter(({ both }) => both.length > 0)
  // The two are never shown together: a dispute's title is "You disputed $5.00".
  expect(repeated).toEqual([{ name: 'notify_of_return', both: ['you were refunded'] }])
})

/** The titles and messages that a function passes to `private.notify`, as SQL. */
function textsIn(source: string): { title: string; message: string }[] {
  const [, ...calls] = source.replaceAll(/--.*/g, '').split('private.notify(')
  return calls.map((call) => {
    const [, , title = '', message = ''] = argumentsOf(call)
    return { title, message }
  })
}

/** @param call starts after its opening parenthesis. */
function argumentsOf(call: string): string[] {
  const found: string[] = []
  let argument = ''
  let depth = 0
  let isQuoted = false
  for (const character of call) {
    if (character === "'") isQuoted = !isQuoted
    const isSyntax = !isQuoted
    if (isSyntax && character === '(') depth += 1
    if (isSyntax && character === ')') depth -= 1
    if (depth < 0) break
    if (isSyntax && depth === 0 && character === ',') {
      found.push(argument)
      argument = ''
    } else argument += character
  }
  return [...found, argument]
}

/** What would be noticed twice: three words in a row, and each name, amount, or post. */
function partsOf(sql: string): Set<string> {
  const values = sql.match(/private\.(?:name_of|dollars|post_label|session_time)\([^)]*\)/g) ?? []
  const literals = [...sql.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = '']) => text.replaceAll("''", "'"))
  const threes = literals.flatMap((text) => {
    const words = text.toLowerCase().match(/[a-z']+/g) ?? []
    return words.slice(2).map((word, place) => `${words[place]} ${words[place + 1]} ${word}`)
  })
  return new Set([...values, ...threes])
}
