import { createHmac } from 'node:crypto'
import type pg from 'pg'

/** Someone with an account, and the token that auth/v1 would give them. */
export type BenchPerson = { readonly profileId: string; readonly token: string }

/** Makes so many accounts. */
export async function makePeople(client: pg.Client, count: number, jwtSecret: string): Promise<BenchPerson[]> {
  await client.query(
    `insert into auth.users (id, aud, role, email, raw_user_meta_data)
     select gen_random_uuid(), 'authenticated', 'authenticated', 'bench' || n || '@example.com', jsonb_build_object('username', 'bench' || n)
     from generate_series(1, $1) n`,
    [count],
  )
  const { rows } = await client.query<{ id: string; user_id: string }>(
    'select id, user_id from private.profiles limit $1',
    [count],
  )
  await client.query('vacuum (analyze) private.profiles')
  return rows.map(({ id, user_id }) => ({
    profileId: id,
    token: sign({ sub: user_id, role: 'authenticated', aud: 'authenticated' }, jwtSecret),
  }))
}

function sign(claims: object, secret: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const body = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ ...claims, exp: Math.floor(Date.now() / 1000) + 3600 })}`
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
}
