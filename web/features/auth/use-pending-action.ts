import { paths, returnParameter } from '@ovation/contract/paths'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type ActionTarget, actionTargetQuery } from '../../domain/pending-actions/action-target.ts'
import type { PendingAction } from '../../lib/auth/pending-action.ts'

type Pending = {
  action: PendingAction | null
  /** Undefined until it has loaded, and if it can't be loaded: the form works without it. */
  target: ActionTarget | undefined
  /** The creator, plan, or post doesn't exist anymore. */
  isGone: boolean
}

/** What the visitor tried to do (LOOP-04). If it isn't possible anymore, signing in leads to other creators instead of a missing page. */
export function usePendingAction(action: PendingAction | null): Pending {
  const [, setParameters] = useSearchParams()
  const [isGone, setIsGone] = useState(false)
  const { data } = useQuery({ ...actionTargetQuery(action ?? none), enabled: action !== null })
  const isMissing = action !== null && data === null
  useEffect(() => {
    if (!isMissing) return
    setIsGone(true)
    setParameters(
      (current) => {
        current.set(returnParameter, paths.explore)
        return current
      },
      { replace: true },
    )
  }, [isMissing, setParameters])
  return { action: isMissing ? null : action, target: data ?? undefined, isGone: isGone || isMissing }
}

const none: PendingAction = { kind: 'follow', id: '' }
