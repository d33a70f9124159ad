import pg from 'pg'

/** What asking about one thing came to. */
export type Answer<Value> = { readonly value: Value } | { readonly error: unknown }

const mostAtOnce = 1_000

/**
 * Asks about many things at once. When that fails it asks about each half, and so on: one person's trouble, e.g. a policy that fails
 * on the claims of an odd token, is not the others'.
 * @throws what says that the database itself is away.
 */
export async function askEach<Thing, Value>(
  things: readonly Thing[],
  ask: (things: readonly Thing[]) => Promise<readonly Value[]>,
): Promise<Answer<Value>[]> {
  const answers: Answer<Value>[] = []
  for (let first = 0; first < things.length; first += mostAtOnce) {
    answers.push(...(await askSome(things.slice(first, first + mostAtOnce), ask)))
  }
  return answers
}

async function askSome<Thing, Value>(
  things: readonly Thing[],
  ask: (things: readonly Thing[]) => Promise<readonly Value[]>,
): Promise<Answer<Value>[]> {
  try {
    return (await ask(things)).map((value) => ({ value }))
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code?.startsWith('57P')) throw error // nobody would be answered
    if (things.length < 2) return things.map(() => ({ error }))
    const middle = Math.ceil(things.length / 2)
    return [...(await askSome(things.slice(0, middle), ask)), ...(await askSome(things.slice(middle), ask))]
  }
}
