import { randomUUID } from 'node:crypto'
import type { Caller, Creator, DatabaseFixture, Person } from './database-fixture.ts'

export type Audience = { include: object[]; exclude?: object[] }
export const everyone: Audience = { include: [{ condition: 'everyone' }], exclude: [] }

export type Composed = {
  content?: string
  price?: number | null
  files?: readonly string[]
  preview?: number | null
  audience?: object
  skipOwners?: boolean
  skipRecent?: number | null
  endsAt?: string | null
  id?: string
}

/** Mass messages as the dashboard and the job make them. */
export function openCampaigns(world: DatabaseFixture) {
  /** Saves a draft, or changes the message `id`. @returns its id. */
  async function compose(creator: Caller, composed: Composed = {}): Promise<string> {
    const { content = 'Hello', price = null, files = [], preview = null, audience = everyone } = composed
    const [row] = await world.as(creator, 'select public.save_mass_message($1, $2, $3, $4, $5, $6, $7, $8, $9) as id', [
      content,
      price,
      files,
      preview,
      JSON.stringify(audience),
      composed.skipOwners ?? false,
      composed.skipRecent ?? null,
      composed.endsAt ?? null,
      composed.id ?? null,
    ])
    return String(row?.id)
  }
  const send = async (creator: Caller, id: string, at: string | null = null, timeZone: string | null = null) =>
    (await world.as(creator, 'select * from public.send_mass_message($1, $2, $3)', [id, at, timeZone]))[0]
  /** All that the job has to do now. @returns how many steps it took. */
  async function run(): Promise<number> {
    for (let steps = 0; ; steps += 1) {
      const [step] = await world.as('service_role', 'select private.send_mass_messages() as more')
      if (!step?.more) return steps
    }
  }
  /** Composes, sends, and delivers. @returns the id. */
  async function deliver(creator: Caller, composed: Composed = {}): Promise<string> {
    const id = await compose(creator, composed)
    await send(creator, id)
    await run()
    return id
  }
  /** The message as the creator sees it, with its numbers. */
  const show = async (creator: Caller, id: string) =>
    (await world.as(creator, 'select * from public.get_mass_message($1)', [id]))[0]
  /** The thread with the creator as the fan sees it, oldest first. */
  const thread = (fan: Person, creator: Person) =>
    world.as(
      fan,
      `select id, content, is_paid, price, is_locked, is_read, media_urls, media_types, preview_url from public.messages
       where sender_id = $1 order by created_at`,
      [creator.profileId],
    )
  const read = (fan: Person, creator: Person) =>
    world.as(fan, 'update public.messages set is_read = true where sender_id = $1', [creator.profileId])
  /** Buys the fan's copy for $5.00, with a fee of 50 cents. @returns transactions.id */
  async function buy(fan: Person, creator: Person, mass: string): Promise<string> {
    const [row] = await world.as(
      'service_role',
      `select private.post_message_unlock($1, $2, $3, (select m.id from private.messages m where m.mass_message_id = $4 and m.recipient_id = $2),
         500, 50, 'usd', now()) as id`,
      [`pi_${randomUUID()}`, fan.profileId, creator.profileId, mass],
    )
    return String(row?.id)
  }
  const follow = (fan: Person, creator: Person) =>
    world.query('insert into public.follows (follower_id, following_id) values ($1, $2)', [
      fan.profileId,
      creator.profileId,
    ])
  async function buildFans(creator: Creator, count: number): Promise<Person[]> {
    const fans: Person[] = []
    for (let n = 0; n < count; n += 1) {
      const fan = await world.buildPerson()
      await follow(fan, creator)
      fans.push(fan)
    }
    return fans
  }
  /** A file in the creator's vault. @returns its id. */
  async function buildVaultFile(creator: Creator): Promise<string> {
    const version = randomUUID()
    await world.as(
      creator,
      `insert into storage.objects (bucket_id, name, owner, owner_id, metadata, version) values ('posts', $1, $2, $3, $4, $5)`,
      [
        `${creator.userId}/${randomUUID()}.jpg`,
        creator.userId,
        creator.userId,
        { mimetype: 'image/jpeg', size: 1 },
        version,
      ],
    )
    const [file] = await world.query('select id from public.vault_files where version = $1', [version])
    return String(file?.id)
  }
  const reads = async (reader: Caller, path: unknown) =>
    (await world.as(reader, 'select from storage.objects where name = $1', [path])).length === 1
  /** Counters and conversations that differ from the messages: none. */
  const problems = async () => [
    ...(await world.query('select * from private.verify_counters()')),
    ...(await world.query('select * from private.verify_conversations()')),
  ]
  return { compose, send, run, deliver, show, thread, read, buy, follow, buildFans, buildVaultFile, reads, problems }
}
