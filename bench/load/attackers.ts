import { attacks, type Target } from './attacks.ts'

/** What the parent says: whom to attack how, until it says stop. */
export type Order = { readonly target: Target; readonly names: readonly string[] } | 'stop'
/** How the product answered each attack, and how often. */
export type Outcomes = Readonly<Record<string, Readonly<Record<string, number>>>>

let stop = new AbortController()
process.on('message', (order: Order) => {
  if (order === 'stop') return stop.abort()
  stop = new AbortController()
  void attack(order, stop.signal).then((outcomes) => process.send?.(outcomes))
})
process.on('disconnect', () => process.exit())

async function attack({ target, names }: Exclude<Order, 'stop'>, signal: AbortSignal): Promise<Outcomes> {
  const outcomes: Record<string, Record<string, number>> = {}
  await Promise.all(
    names.map(async (name) => {
      const counts: Record<string, number> = {}
      outcomes[name] = counts
      await attacks[name]?.(target, signal, (answer) => {
        counts[answer] = (counts[answer] ?? 0) + 1
      })
    }),
  )
  return outcomes
}
