import type pg from 'pg'
import { type Mutation, replaceEach } from './mutation.ts'

type Routine = {
  name: string
  bare: string
  schema: string
  source: string
  definition: string
  language: string
  definer: boolean
  /** Called by name, it reads tables with the caller's permissions. */
  readsAsCaller: boolean
  boolean: boolean
  isEntry: boolean
  relations: string[]
}

/**
 * Makes each boolean helper return always true and always false, removes each rejection in functions that clients can trigger, opens each
 * condition of functions that bypass policies on files, and turns each security-invoker function into security definer.
 */
export async function functionMutations(client: pg.Client): Promise<Mutation[]> {
  const { rows } = await client.query<Routine>(
    `select p.oid::regprocedure::text as name, p.proname as bare, n.nspname as schema, p.prosrc as source, pg_get_functiondef(p.oid) as definition,
       l.lanname as language, p.prosecdef as definer, not p.prosecdef and p.provolatile <> 'i' and p.prorettype <> 'trigger'::regtype as "readsAsCaller",
       p.prorettype = 'boolean'::regtype and not p.proretset as boolean,
       (n.nspname = 'public' and p.prorettype <> 'trigger'::regtype and has_function_privilege('authenticated', p.oid, 'execute'))
         or (n.nspname <> 'public' and has_function_privilege('authenticated', p.oid, 'execute')) or on_relations.names is not null as "isEntry",
       coalesce(on_relations.names, array[case n.nspname when 'storage' then 'storage.' else '' end || p.proname || '(' || replace(oidvectortypes(p.proargtypes), ', ', ',') || ')']) as relations
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang,
       lateral (
         select array_agg(distinct format('%I.%I', tn.nspname, c.relname)) as names
         from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace tn on tn.oid = c.relnamespace
         where t.tgfoid = p.oid and tn.nspname in ('public', 'storage')
       ) on_relations
     where n.nspname in ('public', 'private', 'auth', 'storage') and p.prokind = 'f' order by 1`,
  )
  const reachable = closeOverCalls(rows)
  return reachable.flatMap((routine) => [
    ...forcedAnswers(routine),
    ...withoutGuards(routine),
    ...withoutConditions(routine),
    ...withOwnersRights(routine),
  ])
}

/** Functions that clients call or trigger, and those that they call in turn. */
function closeOverCalls(routines: readonly Routine[]): Routine[] {
  const reached = new Set(routines.filter(({ isEntry }) => isEntry))
  for (const routine of reached) {
    for (const [, schema, bare] of routine.source.matchAll(/\b(private|public|storage)\.(\w+)\s*\(/g)) {
      for (const called of routines) if (called.schema === schema && called.bare === bare) reached.add(called)
    }
  }
  return [...reached]
}

function forcedAnswers({ name, source, definition, language, boolean, relations, schema }: Routine): Mutation[] {
  if (!boolean || schema === 'public') return []
  return ['true', 'false'].map((answer) => ({
    name: `${name} always ${answer}`,
    subjects: relations,
    sql: definition.replace(source, () =>
      language === 'sql' ? ` select ${answer} ` : ` begin return ${answer}; end `,
    ),
  }))
}

const guard =
  /\b(?<word>if|elsif) (?<condition>(?:(?!\bthen\b)[\s\S])+?) then(?=\s+(?:--[^\n]*\n\s*)?(?:raise [^;]*(?:42501|PT403|PT404)|return null))/g

function withoutGuards({ name, source, definition, relations }: Routine): Mutation[] {
  return replaceEach(source, guard, ({ groups }) => `${groups?.word} false then`).map(({ text, found }) => ({
    name: `${name}: without "${found}"`,
    subjects: relations,
    sql: definition.replace(source, () => text),
  }))
}

/** Functions that answer about files with the owner's permissions: there a condition is the policy. */
function withoutConditions({ name, source, definition, relations, schema, definer }: Routine): Mutation[] {
  if (schema !== 'storage' || !definer) return []
  const bare = source.replace(/--[^\n]*/g, '')
  return conditionsOf(bare).map(({ start, end }) => ({
    name: `${name}: without condition "${bare.slice(start, end).replace(/\s+/g, ' ').trim()}"`,
    subjects: relations,
    sql: definition.replace(source, () => `${bare.slice(0, start)} true ${bare.slice(end)}`),
  }))
}

const opening = /\b(?:where|on|and|or)\b/gi
const following = /^(?:and|or|then|where|join|left|cross|group|order|limit|union|for)\b/i

/** The positions of each condition in a statement: after `where`, `on`, `and`, `or`, up to the next of them or the end of its part. */
function conditionsOf(statement: string): { start: number; end: number }[] {
  return [...statement.matchAll(opening)].map((match) => {
    const start = match.index + match[0].length
    let end = start
    for (let depth = 0; end < statement.length; end++) {
      const character = statement[end]
      if (character === '(') depth++
      else if (character === ')' && depth-- === 0) break
      else if (depth === 0 && (character === ';' || isWordAt(statement, end, following))) break
    }
    return { start, end }
  })
}

function isWordAt(text: string, index: number, words: RegExp): boolean {
  return /\W/.test(text[index - 1] ?? ' ') && words.test(text.slice(index))
}

/** Functions that clients call with their own permissions, changed to those of the owner, whom no policy restricts. */
function withOwnersRights({ name, schema, relations, readsAsCaller, isEntry }: Routine): Mutation[] {
  if (!readsAsCaller || !isEntry || !['public', 'storage'].includes(schema)) return []
  return [
    { name: `${name} with its owner's rights`, subjects: relations, sql: `alter function ${name} security definer` },
  ]
}
