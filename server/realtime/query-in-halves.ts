import pg from 'pg'

/** The result for one item. */
export type Answer<Value> = { readonly value: Value } | { readonly error: unknown }

const mostAtOnce = 1_000

/**
 * Queries many items at once. On failure it queries each half, and so on, so that one user's failure (such as a policy that fails
 * on the claims of an unusual token) doesn't affect the others.
 * @throws the error when the database itself is unavailable.
 */
export async function queryInHalves<Thing, Value>(
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
    if (!(error instanceof pg.DatabaseError) || error.code?.startsWith('57P')) throw error // every query would fail
    if (things.length < 2) return things.map(() => ({ error }))
    const middle = Math.ceil(things.length / 2)
    return [...(await askSome(things.slice(0, middle), ask)), ...(await askSome(things.slice(middle), ask))]
  }
}
