import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let admin: Person
let stranger: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  admin = await world.buildAdmin()
  stranger = await world.buildPerson()
})
afterAll(() => world.close())

const insert = `insert into public.creator_applications (user_id, full_name, address, full_ssn, id_front_url, id_back_url)
  values ($1, 'Ada Lovelace', '12 St James''s Square', $2, $3, $4) returning *`

async function apply(
  person: Person,
  { ssn = '123-45-6789', front, back }: { ssn?: string; front?: string; back?: string } = {},
) {
  const values = [
    person.userId,
    ssn,
    front ?? (await world.buildFile(person, 'verification')),
    back ?? (await world.buildFile(person, 'verification')),
  ]
  const [row] = await world.as(person, insert, values)
  return { ...row, id: String(row?.id) }
}
const review = (caller: Person, id: string, status: string, reason: string | null = null) =>
  world.as(
    caller,
    `update public.creator_applications set status = $2, reviewed_at = '2000-01-01', rejection_reason = $3 where id = $1 returning status, reviewed_at, reviewed_by, rejection_reason`,
    [id, status, reason],
  )

describe('applying', () => {
  it('accepts the five fields, encrypts the number, and never returns it [VER-05, VER-09, DATA-23, DATA-24, API-REST-31]', async () => {
    const person = await world.buildPerson()
    const application = await apply(person)
    expect(application).toMatchObject({ status: 'pending', full_ssn: null, ssn_last4: '6789', reviewed_at: null })
    for (const caller of [person, admin, 'service_role'] as const) {
      const [row] = await world.as(caller, 'select * from public.creator_applications where id = $1', [application.id])
      expect(row).toMatchObject({ full_ssn: null, ssn_last4: '6789' })
      expect(JSON.stringify(row)).not.toMatch(/123-?45-?6789/)
    }
    const [stored] = await world.query(
      `select encode(ciphertext, 'escape') as text from private.application_ssns where application_id = $1`,
      [application.id],
    )
    expect(String(stored?.text)).not.toMatch(/123-?45-?6789/)
  })

  it('stores every field, and has one of three statuses [DATA-23]', async () => {
    const person = await world.buildPerson()
    const { id } = await apply(person)
    const fields = `id, user_id, country, full_name, address, full_ssn, id_front_url, id_back_url, status, rejection_reason, submitted_at, reviewed_at, created_at`
    const [row] = await world.as(person, `select ${fields} from public.creator_applications where id = $1`, [id])
    expect(row).toEqual({
      id,
      user_id: person.userId,
      country: 'US',
      full_name: 'Ada Lovelace',
      address: "12 St James's Square",
      full_ssn: null,
      id_front_url: expect.stringContaining(person.userId),
      id_back_url: expect.stringContaining(person.userId),
      status: 'pending',
      rejection_reason: null,
      submitted_at: expect.any(Date),
      reviewed_at: null,
      created_at: expect.any(Date),
    })
    await expect(review(admin, id, 'lost')).rejects.toMatchObject({ code: '23514' })
    expect(await review(admin, id, 'rejected', 'Blurred')).toMatchObject([{ status: 'rejected' }])
    const again = await apply(person)
    expect(await review(admin, again.id, 'approved')).toMatchObject([{ status: 'approved' }])
  })

  it('stores the number as ciphertext, without a key in the database [D10, DATA-24]', async () => {
    const { id } = await apply(await world.buildPerson(), { ssn: '987654321' })
    const [row] = await world.query(
      `select encode(ciphertext, 'escape') as text from private.application_ssns where application_id = $1`,
      [id],
    )
    expect(String(row?.text)).not.toContain('987654321')
    expect(await world.as(admin, 'select full_ssn from public.creator_applications where id = $1', [id])).toEqual([
      { full_ssn: null },
    ])
    for (const caller of [admin, 'service_role'] as const) {
      await expect(world.as(caller, 'select * from private.application_ssns')).rejects.toMatchObject(refused)
      await expect(world.as(caller, 'select private.encryption_key()')).rejects.toMatchObject(refused)
    }
  })

  it('stores nothing on a connection without a key', async () => {
    const person = await world.buildPerson()
    const attempt = world.query(
      `with no_key as (select set_config('app.encryption_key', '', true))
       insert into public.creator_applications (user_id, full_name, address, full_ssn, id_front_url, id_back_url)
       select $1, 'A', 'B', '123-45-6789', $2, $3 from no_key where no_key is not null`,
      [person.userId, await world.buildFile(person, 'verification'), await world.buildFile(person, 'verification')],
    )
    await expect(attempt).rejects.toMatchObject({ code: 'PT503' })
  })

  it("needs a Social Security number only from the United States, and stores nobody else's [LOOP-08]", async () => {
    const abroad = `insert into public.creator_applications (user_id, country, full_name, address, full_ssn, id_front_url, id_back_url)
      values ($1, $2, 'Ada Lovelace', 'Rua 1, Porto', $3, $4, $5) returning id, country, ssn_last4`
    const person = await world.buildPerson()
    const files = [await world.buildFile(person, 'verification'), await world.buildFile(person, 'verification')]
    const send = (country: string, ssn: string | null) =>
      world.as(person, abroad, [person.userId, country, ssn, ...files])
    await expect(send('US', null)).rejects.toMatchObject({ constraint: 'creator_applications_ssn_format' })
    await expect(send('PT', '123456789')).rejects.toMatchObject({ constraint: 'creator_applications_ssn_only_in_us' })
    await expect(send('Portugal', null)).rejects.toMatchObject({ constraint: 'creator_applications_country_code' })
    const [row] = await send('PT', null)
    expect(row).toMatchObject({ country: 'PT', ssn_last4: null })
    expect(await world.query('select from private.application_ssns where application_id = $1', [row?.id])).toEqual([])
    await expect(world.as(admin, 'select public.reveal_ssn($1)', [row?.id])).rejects.toMatchObject({ code: 'PT404' })
  })

  it.each(['123456789', '123-45-6789'])('accepts the number as %s [VER-07]', async (ssn) => {
    expect(await apply(await world.buildPerson(), { ssn })).toMatchObject({ ssn_last4: '6789' })
  })

  it.each(['12345678', '1234567890', '123-456-789', 'abc-de-fghi', ''])(
    'rejects the number "%s" [VER-07]',
    async (ssn) => {
      await expect(apply(await world.buildPerson(), { ssn })).rejects.toMatchObject({
        constraint: 'creator_applications_ssn_format',
      })
    },
  )

  it("rejects images that are missing, another user's, or the same for both sides [VER-06, D10]", async () => {
    const person = await world.buildPerson()
    await expect(apply(person, { front: `${person.userId}/nowhere` })).rejects.toMatchObject({ code: 'PT422' })
    await expect(apply(person, { front: await world.buildFile(stranger, 'verification') })).rejects.toMatchObject({
      code: 'PT403',
    })
    await expect(apply(person, { front: await world.buildFile(person, 'avatars') })).rejects.toMatchObject({
      code: 'PT422',
    })
    const one = await world.buildFile(person, 'verification')
    await expect(apply(person, { front: one, back: one })).rejects.toMatchObject({
      constraint: 'creator_applications_two_images',
    })
  })

  it("works for the user's own account, once at a time, and again after a rejection [VER-11, VER-13]", async () => {
    const person = await world.buildPerson()
    await expect(world.as(stranger, insert, [person.userId, '123456789', 'a', 'b'])).rejects.toMatchObject(refused)
    await expect(world.as('anon', insert, [person.userId, '123456789', 'a', 'b'])).rejects.toMatchObject(refused)
    const first = await apply(person)
    await expect(apply(person)).rejects.toMatchObject({ code: '23505', constraint: 'creator_applications_one_open' })
    await review(admin, first.id, 'rejected', 'Blurred')
    const second = await apply(person)
    await review(admin, second.id, 'approved')
    await expect(apply(person)).rejects.toMatchObject({ code: '23505' })
  })

  it('rejects a status from the applicant', async () => {
    const person = await world.buildPerson()
    await expect(
      world.as(
        person,
        `insert into public.creator_applications (user_id, full_name, address, full_ssn, id_front_url, id_back_url, status)
        values ($1, 'A', 'B', '123456789', 'a', 'b', 'approved')`,
        [person.userId],
      ),
    ).rejects.toMatchObject(refused)
  })

  it('is readable only by the applicant and admins [API-REST-29, API-REST-30]', async () => {
    const person = await world.buildPerson()
    const { id } = await apply(person)
    const read = 'select id from public.creator_applications where id = $1'
    expect(await world.as(person, read, [id])).toHaveLength(1)
    expect(await world.as(admin, read, [id])).toHaveLength(1)
    expect(await world.as(stranger, read, [id])).toEqual([])
    await expect(world.as('anon', read, [id])).rejects.toMatchObject(refused)
  })
})

describe('reviewing', () => {
  const flags = async (person: Person) =>
    (await world.as('anon', 'select is_creator, is_verified from public.profiles where id = $1', [person.profileId]))[0]
  const told = (person: Person) => world.as(person, 'select type, title, message from public.notifications')

  it('is for admins: approval makes the user a creator and notifies them [ADM-06, API-REST-32, NOTI-15]', async () => {
    const person = await world.buildPerson()
    const { id } = await apply(person)
    for (const caller of [person, stranger]) expect(await review(caller, id, 'approved')).toEqual([])
    expect(await flags(person)).toEqual({ is_creator: false, is_verified: false })
    const [row] = await review(admin, id, 'approved')
    expect(row).toMatchObject({ status: 'approved', reviewed_by: admin.userId, rejection_reason: null })
    expect(row?.reviewed_at instanceof Date && Date.now() - row.reviewed_at.getTime() < 60_000).toBe(true)
    expect(await flags(person)).toEqual({ is_creator: true, is_verified: true })
    expect(await told(person)).toMatchObject([{ type: 'verification', title: 'Application approved' }])
  })

  it('opens the plans that were prepared while the application waited, and no others [LOOP-08, D25]', async () => {
    const person = await world.buildPerson()
    await world.query(
      `update private.profiles set stripe_account_id = 'acct_waiting', stripe_charges_enabled = true where id = $1`,
      [person.profileId],
    )
    const prepare = () =>
      world.as(
        'service_role',
        `insert into public.subscription_products (creator_id, name, price_cents, interval) values ($1, 'Plan', 999, 'month')
         returning id, is_active`,
        [person.profileId],
      )
    const plans = () =>
      world.as('anon', 'select id from public.subscription_products where creator_id = $1', [person.profileId])
    await expect(prepare()).rejects.toMatchObject({ code: 'PT403' })
    const { id } = await apply(person)
    const [prepared] = await prepare()
    expect(prepared).toMatchObject({ is_active: false })
    expect(await plans()).toEqual([])
    const open = 'update public.subscription_products set is_active = true where id = $1'
    await expect(world.as(person, open, [prepared?.id])).rejects.toMatchObject({ code: 'PT403' })
    await review(admin, id, 'approved')
    expect(await plans()).toEqual([{ id: prepared?.id }])
    const [retired] = await prepare()
    expect(retired).toMatchObject({ is_active: true })
    await world.as(person, 'update public.subscription_products set is_active = false where id = $1', [prepared?.id])
    await review(admin, id, 'rejected', 'Forged document')
    const again = await apply(person)
    await review(admin, again.id, 'approved')
    expect(await plans()).toEqual([{ id: retired?.id }])
  })

  it('needs a reason for a rejection, and sends it to the applicant [ADM-07, ADM-08, D32]', async () => {
    const person = await world.buildPerson()
    const { id } = await apply(person)
    for (const reason of [null, '', '   ']) {
      await expect(review(admin, id, 'rejected', reason)).rejects.toMatchObject({
        constraint: 'creator_applications_rejection_needs_reason',
      })
    }
    expect(await review(admin, id, 'rejected', ' Blurred ')).toMatchObject([
      { status: 'rejected', reviewed_at: expect.any(Date), rejection_reason: 'Blurred' },
    ])
    expect(await flags(person)).toMatchObject({ is_verified: false })
    expect(await told(person)).toEqual([{ type: 'verification', title: 'Application rejected', message: 'Blurred' }])
  })

  it('is final, except that an approval can be revoked', async () => {
    const person = await world.buildPerson()
    const { id } = await apply(person)
    await review(admin, id, 'approved')
    await expect(review(admin, id, 'pending')).rejects.toMatchObject({ code: 'PT409' })
    await review(admin, id, 'rejected', 'Forged document')
    expect(await flags(person)).toEqual({ is_creator: true, is_verified: false })
    await expect(review(admin, id, 'approved')).rejects.toMatchObject({ code: 'PT409' })
  })

  it('changes nothing else in an application', async () => {
    for (const change of [
      `full_name = 'x'`,
      `ssn_last4 = '0000'`,
      `user_id = '${stranger.userId}'`,
      `full_ssn = '123456789'`,
    ]) {
      await expect(world.as(admin, `update public.creator_applications set ${change}`)).rejects.toMatchObject(refused)
    }
  })
})

describe('reveal_ssn', () => {
  const looks = (id: string) =>
    world.as(admin, `select actor_id, action from public.audit_log where subject_id = $1`, [id])

  it('returns the number to an admin and logs the access [ADM-14, DATA-25]', async () => {
    const { id } = await apply(await world.buildPerson(), { ssn: '123456789' })
    expect(
      await world.as(admin, 'select full_ssn, ssn_last4 from public.creator_applications where id = $1', [id]),
    ).toEqual([{ full_ssn: null, ssn_last4: '6789' }])
    expect(await looks(id)).toEqual([])
    expect(await world.as(admin, 'select public.reveal_ssn($1) as number', [id])).toEqual([{ number: '123-45-6789' }])
    expect(await looks(id)).toEqual([{ actor_id: admin.userId, action: 'reveal_ssn' }])
  })

  it('rejects the applicant, others, and the server, and an unknown application [VER-09]', async () => {
    const person = await world.buildPerson()
    const { id } = await apply(person)
    for (const caller of [person, stranger, 'anon', 'service_role'] as const) {
      await expect(world.as(caller, 'select public.reveal_ssn($1)', [id])).rejects.toMatchObject(refused)
    }
    expect(await looks(id)).toEqual([])
    await expect(world.as(admin, 'select public.reveal_ssn(gen_random_uuid())')).rejects.toMatchObject({
      code: 'PT404',
    })
  })

  it('logs to a table that only admins can read and no one can change', async () => {
    const { id } = await apply(await world.buildPerson())
    await world.as(admin, 'select public.reveal_ssn($1)', [id])
    for (const statement of [
      `update public.audit_log set action = 'nothing'`,
      'delete from public.audit_log',
      'truncate public.audit_log',
    ]) {
      await expect(world.query(statement)).rejects.toMatchObject(refused)
    }
    expect(await world.as(stranger, 'select * from public.audit_log')).toEqual([])
  })
})
