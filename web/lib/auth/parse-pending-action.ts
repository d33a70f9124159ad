import { isId } from '../api/is-id.ts'
import { type ActionKind, actionParameter, type PendingAction } from './pending-action.ts'

const kinds: readonly ActionKind[] = [
  'follow',
  'message',
  'tip',
  'report',
  'subscribe',
  'buy',
  'tip-post',
  'like',
  'save',
  'vote',
]

/** Reads a pending action. @returns null for anything that `formatAction` doesn't write. */
export function parseAction(text: string | null): PendingAction | null {
  const [name, id = '', ...rest] = text?.split(':') ?? []
  const kind = kinds.find((kind) => kind === name)
  return kind && isId(id) && rest.length === 0 ? { kind, id } : null
}

/** The action in the path to return to. */
export function actionIn(path: string): PendingAction | null {
  const [, query = ''] = path.split(/[?#]/)
  return parseAction(new URLSearchParams(query).get(actionParameter))
}
