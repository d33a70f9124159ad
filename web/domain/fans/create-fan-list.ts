import type { Json } from '@ovation/contract/database'
import { uniqueViolation } from '../../lib/api/sqlstate.ts'
import { supabase } from '../../lib/api/supabase.ts'
import type { Rule } from './audience-rule.ts'
import type { FanList } from './list-queries.ts'

/** @param rule of a smart list; null for one whose members the creator adds. */
export async function createFanList(name: string, rule: Rule | null): Promise<FanList> {
  const { data } = await supabase
    .from('fan_lists')
    .insert({ name: name.trim(), rule: rule as unknown as Json })
    .select('id, name, rule')
    .single()
    .throwOnError()
  return { ...(data as unknown as FanList), members_count: 0 }
}

export const isNameTaken = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === uniqueViolation
