import { accounts } from './expectations/accounts.ts'
import { community } from './expectations/community.ts'
import { contacts } from './expectations/contacts.ts'
import { fileFunctions, files } from './expectations/files.ts'
import { publicFunctions } from './expectations/functions.ts'
import { money } from './expectations/money.ts'
import { posts } from './expectations/posts.ts'
import { stories, storyFunctions } from './expectations/stories.ts'
import { topics } from './expectations/topics.ts'
import type { Callable, Relation } from './relation.ts'

export { helpers } from './expectations/functions.ts'

/**
 * The permission matrix (GEN-34, GEN-35, API-REST-42): for every table and view that clients may name, who may read, write, change, and
 * delete which row. A persona that is missing at a row gets `nothing` there (`refused` where it would add a row or call a
 * function), and `refused` wherever its role has no grant. Personas: personas.ts. Rows: fixture/.
 */
export const relations: Readonly<Record<string, Relation>> = {
  ...accounts,
  ...posts,
  ...money,
  ...contacts,
  ...community,
  ...files,
  ...stories,
  ...topics,
}

/** Who may call which function, and its answer. */
export const functions: Readonly<Record<string, Callable>> = { ...publicFunctions, ...fileFunctions, ...storyFunctions }

/** Schemas without any table that clients may name. */
export const closedSchemas = ['auth', 'private']
