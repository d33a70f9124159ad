/**
 * Works on all items, some at once, in their order.
 * @throws the first failure; what is being worked on then goes on, and no new item is begun.
 */
export async function inParallel<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = takeFrom(items)
  let failed = false
  const worker = async () => {
    for (let next = await waiting.next(); !next.done && !failed; next = await waiting.next()) {
      try {
        await work(next.value)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** A generator answers one question after the other, so that several workers may ask. */
async function* takeFrom<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* items
}
