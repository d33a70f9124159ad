import { hash } from 'node:crypto'
import type pg from 'pg'

/** The end of an account's hash chain: its id, the last entry's number and hash. */
export type Chain = { readonly id: string; seq: number; hash: Buffer }
export type SharedChains = { readonly stripe: Chain | undefined; readonly platform_fees: Chain | undefined }
export type Movement = { readonly cause: string; readonly type: string; readonly occurredAt: Date }

export function openChain(id: string): Chain {
  return { id, seq: 0, hash: Buffer.alloc(32) }
}

/** The accounts that all transactions share may already have entries; their chains continue. */
export async function readSharedChains(client: pg.Client): Promise<SharedChains> {
  const { rows } = await client.query<{ code: string; id: string; seq: string; hash: Buffer | null }>(
    `select a.code, a.id, coalesce(e.seq, 0) as seq, e.hash
     from private.ledger_accounts a
     left join lateral (
       select l.seq, l.hash from private.ledger_entries l where l.account_id = a.id order by l.seq desc limit 1
     ) e on true
     where a.code in ('stripe', 'platform_fees')`,
  )
  const find = (code: string) => {
    const row = rows.find((one) => one.code === code)
    return row && { id: row.id, seq: Number(row.seq), hash: row.hash ?? Buffer.alloc(32) }
  }
  return { stripe: find('stripe'), platform_fees: find('platform_fees') }
}

/** The next link of an account's chain, like private.chain_ledger_entry; the text is that of private.ledger_entry_text. */
export function appendEntry(chain: Chain, code: string, { cause, type, occurredAt }: Movement, cents: number) {
  const previousHash = chain.hash
  const seq = chain.seq + 1
  const time = occurredAt.toISOString().replace('Z', '000Z') // microseconds
  const text = ['v1', seq, code, cause, type, cents, 'usd', time, previousHash.toString('hex')].join('|')
  chain.seq = seq
  chain.hash = hash('sha256', text, 'buffer')
  return { seq, previousHash, hash: chain.hash }
}
