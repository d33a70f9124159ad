import type pg from 'pg'
import { buildContent } from './fixture/content.ts'
import { buildEvents } from './fixture/events.ts'
import { buildPeople } from './fixture/people.ts'
import { buildStories } from './fixture/stories.ts'
import { type Persona, roleOf } from './personas.ts'

/** Names for everything in the matrix, and the SQL to create it. */
export class MatrixFixture {
  readonly client: pg.Client
  readonly #ids = new Map<string, string>()

  constructor(client: pg.Client) {
    this.client = client
  }

  name(name: string, id: string): string {
    this.#ids.set(name, id)
    return id
  }

  id(name: string): string {
    const id = this.#ids.get(name)
    if (!id) throw new Error(`the matrix's fixture has no ${name}`)
    return id
  }

  /** Runs SQL with the server's permissions; `{name}` is replaced by the id of that name. @returns the first column of the first row. */
  async run(text: string): Promise<string> {
    const { rows } = await this.client.query<unknown[]>({ text: this.fill(text, 'service'), rowMode: 'array' })
    return String(rows[0]?.[0])
  }

  /** The same, with the persona's own permissions: for rows that their author must write. */
  async runAs(persona: Persona, text: string): Promise<void> {
    await this.client.query('begin')
    await this.client.query(`select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)`, [
      this.claims(persona),
      roleOf(persona),
    ])
    await this.client.query(this.fill(text, persona))
    await this.client.query('commit')
  }

  /** `{name}` as the literal of its id; `{me}` and `{me.user}` as the persona's own profile and account. */
  fill(text: string, persona: Persona): string {
    return text.replace(
      /\{([a-z][^{}"]*)\}/g,
      (_, name: string) => `'${this.id(name.replace(/^me\b/, this.#self(persona)))}'`,
    )
  }

  /** A persona without rows uses the bystander's, whom no rule gives access. */
  #self(persona: Persona): string {
    return persona === 'visitor' || persona === 'service' ? 'bystander' : persona
  }

  /** The claims that the gateway would set for this persona. */
  claims(persona: Persona): string {
    const role = roleOf(persona)
    return JSON.stringify(role === 'authenticated' ? { role, sub: this.id(`${persona}.user`) } : { role })
  }
}

/** Users, their products and posts, and their interactions. The connection is the owner's. */
export async function buildMatrixFixture(client: pg.Client): Promise<MatrixFixture> {
  await client.query(
    `select set_config('app.encryption_key', repeat('k', 64), false), set_config('search_path', 'public', false)`,
  )
  const world = new MatrixFixture(client)
  await buildPeople(world)
  await buildContent(world)
  await buildEvents(world)
  await buildStories(world)
  await world.runAs('admin', `select public.suspend_user({suspended}, 'Spam')`)
  return world
}
