import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../testing/gateway.ts'

describe('/metrics', () => {
  const token = 'a token of length'
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway({ env: { METRICS_TOKEN: token } })
  })
  afterAll(() => gateway?.close())

  const read = (authorization?: string) =>
    fetch(`${gateway.url}/metrics`, { headers: { ...(authorization && { authorization }) } })

  it('tells whoever has the token of requests, connections and jobs', async () => {
    await gateway.anon.from('profiles').select('id')
    await gateway.anon.from('nowhere').select('id')
    const answer = await read(`Bearer ${token}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const text = await answer.text()
    expect(text).toMatch(/ovation_http_request_seconds_count\{door="rest",method="GET",status="2xx"\} 1\n/)
    expect(text).toMatch(/ovation_http_request_seconds_count\{door="rest",method="GET",status="4xx"\} 1\n/)
    expect(text).toMatch(/ovation_database_connections\{state="open"\} [1-9]/)
    expect(text).toMatch(/process_resident_memory_bytes \d/)
    expect(text).not.toContain('profiles')
  })

  it.each([undefined, 'Bearer', 'Bearer a token of lengtH', `Basic ${token}`])('refuses %s', async (authorization) => {
    const answer = await read(authorization)
    expect(answer.status).toBe(401)
    expect(await answer.text()).not.toContain('ovation_')
  })

  it('counts jobs that failed, and those that wait', async () => {
    await gateway.query(
      `insert into pgboss.job (name, state) select name, 'failed' from pgboss.queue order by name limit 1`,
    )
    expect(await (await read(`Bearer ${token}`)).text()).toMatch(/ovation_jobs\{queue="[\w-]+",state="failed"\} 1\n/)
  })
})

it('is not there in production without a token', async () => {
  const gateway = await startGateway({ env: { NODE_ENV: 'production', SITE_URL: 'https://creators.example.com' } })
  const [metrics, unknown] = await Promise.all(['metrics', 'nowhere'].map((path) => fetch(`${gateway.url}/${path}`)))
  expect(metrics?.status).toBe(unknown?.status)
  expect(await metrics?.text()).toBe(await unknown?.text())
  await gateway.close()
})
