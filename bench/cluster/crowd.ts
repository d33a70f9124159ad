import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, onboard, pay } from '@ovation/server/payments/testing/shop'
import type { Cluster } from './cluster.ts'
import type { Person } from './person.ts'
import type { WriteRecord } from './write-record.ts'

/** Those who have a card. */
const payers = 20
/** The amounts of tips tell them apart. */
const firstTipCents = 500
const readsOfTen = 6

/** People who use the product until they are stopped: half of what they do is reading, the rest leaves something behind. */
export class Crowd {
  readonly #people: readonly Person[]
  readonly #record: WriteRecord
  readonly #cluster: Cluster
  readonly #pauseMs: number
  readonly #postId: string
  #tips = 0
  #isOver = false
  #running: Promise<unknown> | undefined

  private constructor(options: {
    people: readonly Person[]
    record: WriteRecord
    cluster: Cluster
    pauseMs: number
    postId: string
  }) {
    this.#people = options.people
    this.#record = options.record
    this.#cluster = options.cluster
    this.#pauseMs = options.pauseMs
    this.#postId = options.postId
  }

  /** The first of the people becomes a creator with a post, and an admin; some of the others save a card. */
  static async prepare(
    cluster: Cluster,
    people: readonly Person[],
    record: WriteRecord,
    pauseMs: number,
  ): Promise<Crowd> {
    const [creator, ...fans] = people as [Person, ...Person[]]
    await cluster.query('update private.profiles set is_creator = true, is_verified = true where id = $1', [
      creator.profileId,
    ])
    await cluster.query(
      `insert into public.user_roles (user_id, role) select user_id, 'admin' from private.profiles where id = $1`,
      [creator.profileId],
    )
    await cluster.query(`insert into storage.buckets (id, name) values ('cluster', 'cluster')`)
    await call(creator, 'create-stripe-account')
    const { url } = await call<{ url: string }>(creator, 'create-onboarding-link', { origin: cluster.entries[0] })
    await onboard(url)
    await call(creator, 'check-stripe-status')
    const { data } = await creator.client
      .from('posts')
      .insert({ creator_id: creator.profileId, content: 'Through all of it' })
      .select('id')
      .single()
      .throwOnError()
    for (const fan of fans.slice(0, payers)) {
      const tip = { kind: 'tip', targetId: creator.profileId, amountCents: 100 }
      const checkout = await call<{ url: string }>(fan, 'create-payment-checkout', tip)
      await pay(checkout.url, undefined, { keep: 'yes' })
    }
    return new Crowd({ people, record, cluster, pauseMs, postId: data.id as string })
  }

  start() {
    this.#running = Promise.all(this.#people.map((person) => this.#live(person)))
  }

  async stop() {
    this.#isOver = true
    await this.#running
  }

  async #live(person: Person) {
    for (let turn = 0; !this.#isOver; turn++) {
      await sleep(this.#pauseMs * (0.5 + Math.random()))
      if (this.#isOver) return
      await (Math.random() * 10 < readsOfTen ? this.#read(person) : this.#write(person, turn))
    }
  }

  #read({ client, profileId }: Person) {
    const what = Math.random()
    if (what < 0.4)
      return this.#record.read('feed', () => client.from('posts').select('*, profiles(*)').limit(20).throwOnError())
    if (what < 0.7)
      return this.#record.read('thread', () =>
        client.from('messages').select('*').eq('recipient_id', profileId).limit(20).throwOnError(),
      )
    return this.#record.read('comments', () =>
      client.from('comments').select('*').eq('post_id', this.#postId).limit(20).throwOnError(),
    )
  }

  #write(person: Person, turn: number) {
    const { client, profileId, number, partner } = person
    const name = `${number}-${turn}`
    const what = Math.random()
    if (what < 0.1 && number > 0 && number <= payers) return this.#tip(person)
    if (what < 0.2) return this.#upload(person, name)
    if (what < 0.5) return this.#comment(person, name)
    return this.#record.write(`message ${name}`, 'there', () =>
      client
        .from('messages')
        .insert({ sender_id: profileId, recipient_id: partner?.profileId, content: name })
        .throwOnError(),
    )
  }

  /** Comments, and looks at it at once, on whichever node and database server that is. */
  async #comment({ client, profileId }: Person, name: string) {
    const thing = `comment ${name}`
    const isAcknowledged = await this.#record.write(thing, 'there', () =>
      client.from('comments').insert({ post_id: this.#postId, user_id: profileId, content: name }).throwOnError(),
    )
    if (!isAcknowledged) return
    await this.#record.read('own comment', async () => {
      const mine = client.from('comments').select('id').eq('user_id', profileId).eq('content', name)
      const { data } = await mine.throwOnError()
      if (data.length === 0) this.#record.noteUnseen(thing)
    })
  }

  #tip(fan: Person) {
    const amountCents = firstTipCents + this.#tips++
    const body = { kind: 'tip', targetId: this.#people[0]?.profileId, amountCents, attemptId: crypto.randomUUID() }
    return this.#record.write(`tip ${amountCents}`, 'there', async () => {
      const { status } = await call(fan, 'create-payment-checkout', body)
      if (status !== 'paid') throw new Error(`a tip is ${status}`)
    })
  }

  #upload({ fetch }: Person, name: string) {
    const body = randomBytes(1_000 + Math.ceil(Math.random() * 60_000))
    const { serviceRoleKey } = this.#cluster.secrets
    return this.#record.write(`file ${name}`, digest(body), async () => {
      const response = await fetch(`https://any/storage/v1/object/cluster/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${serviceRoleKey}`, 'content-type': 'application/octet-stream' },
        body,
      })
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    })
  }
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/** What exists of what the crowd has written, by the names in the record. */
export async function readWritten(cluster: Cluster): Promise<Map<string, { state: string; count: number }>> {
  const rows = await cluster.query<{ thing: string; count: number }>(
    `select 'comment ' || content as thing, count(*)::int from public.comments group by 1
     union all select 'message ' || content, count(*)::int from public.messages group by 1
     union all select 'tip ' || amount, count(*)::int from public.transactions
       where transaction_type = 'tip' and status = 'completed' group by 1`,
  )
  const found = new Map(rows.map(({ thing, count }) => [thing, { state: 'there', count }]))
  const files = await cluster.query<{ name: string; count: number }>(
    `select name, count(*)::int from storage.objects where bucket_id = 'cluster' group by 1`,
  )
  for (const { name, count } of files) {
    const response = await fetch(`${cluster.entries[0]}/storage/v1/object/cluster/${name}`, {
      headers: { authorization: `Bearer ${cluster.secrets.serviceRoleKey}` },
    })
    const state = response.ok ? digest(new Uint8Array(await response.arrayBuffer())) : `${response.status}`
    found.set(`file ${name}`, { state, count })
  }
  return found
}
