import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
let person: Person
beforeAll(async () => {
  gateway = await startGateway()
  person = await gateway.signUp()
})
afterAll(() => gateway.close())

/** As when a failover has made a replica of the server that the gateway is connected to. */
async function setReadOnly(value: 'on' | 'off') {
  await gateway.query(
    `do $$ begin execute format('alter role authenticator in database %I set default_transaction_read_only = ${value}', current_database()); end $$`,
  )
  await gateway.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'authenticator'`,
  )
}

it('answers a write with 503, and with success once the server takes writes again [SCALE-03]', async () => {
  const write = () => person.client.from('profiles').update({ bio: 'Hello' }).eq('id', person.profileId)
  await setReadOnly('on')
  try {
    expect(await write()).toMatchObject({ status: 503 })
    const upload = await person.client.storage.from('avatars').upload(`${person.userId}/a.txt`, 'a')
    expect(upload.error).toMatchObject({ status: 503 })
    expect(await person.client.from('profiles').select('id').eq('id', person.profileId)).toMatchObject({ status: 200 })
  } finally {
    await setReadOnly('off')
  }
  await eventually(async () => expect(await write()).toMatchObject({ status: 204 }))
})
