import type { Cluster } from './cluster.ts'
import type { Person } from './person.ts'

type Listener = {
  readonly person: Person
  /** Messages that they know of: heard live, or read after joining. */
  readonly known: Set<string>
  /** Heard live since the last join. */
  heard: Set<string>
  joins: number
  readonly twice: string[]
}

/** People who keep their inbox open: they hear new messages live, and read again whenever they had to join again, as the app does. */
export class Listeners {
  readonly #listeners: readonly Listener[]

  private constructor(listeners: readonly Listener[]) {
    this.#listeners = listeners
  }

  static async open(people: readonly Person[]): Promise<Listeners> {
    const listeners = people.map((person) => ({
      person,
      known: new Set<string>(),
      heard: new Set<string>(),
      joins: 0,
      twice: [],
    }))
    await Promise.all(listeners.map(join))
    return new Listeners(listeners)
  }

  get joins(): number {
    return this.#listeners.reduce((sum, { joins }) => sum + joins, 0)
  }

  /** A line for each message that a listener missed or heard twice. */
  async findFaults(cluster: Cluster): Promise<string[]> {
    const faults = this.#listeners.flatMap(({ person, twice }) =>
      twice.map((id) => `person ${person.number} heard message ${id} twice`),
    )
    const rows = await cluster.query<{ id: string; recipient_id: string; content: string }>(
      'select id, recipient_id, content from public.messages',
    )
    for (const { person, known } of this.#listeners) {
      for (const { id, recipient_id, content } of rows) {
        if (recipient_id === person.profileId && !known.has(id))
          faults.push(`person ${person.number} missed message ${content}`)
      }
    }
    return faults
  }

  async close() {
    for (const { person } of this.#listeners) {
      await person.client.removeAllChannels()
      await person.client.realtime.disconnect()
    }
  }
}

function join(listener: Listener): Promise<void> {
  const { client, profileId } = listener.person
  const filter = `recipient_id=eq.${profileId}`
  return new Promise((joined) => {
    client
      .channel('inbox')
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'messages', filter }, ({ new: message }) => {
        const { id } = message as { id: string }
        if (listener.heard.has(id)) listener.twice.push(id)
        listener.heard.add(id)
        listener.known.add(id)
      })
      .subscribe((status) => {
        if (status !== 'SUBSCRIBED') return
        listener.joins += 1
        listener.heard = new Set()
        void readAgain(listener, listener.joins).then(joined)
      })
  })
}

/** Until it works, or until they have joined once more. */
async function readAgain(listener: Listener, join: number): Promise<void> {
  const { client, profileId } = listener.person
  while (listener.joins === join) {
    const { data } = await client.from('messages').select('id').eq('recipient_id', profileId).limit(10_000)
    if (!data) continue
    for (const { id } of data) listener.known.add(id as string)
    return
  }
}
