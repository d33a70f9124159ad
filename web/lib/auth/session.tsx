import type { Session, User } from '@supabase/auth-js'
import { onlineManager } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { forgetOfflineData } from '../browser/forget-offline-data.ts'
import { useIdle } from '../browser/use-idle.ts'
import { authClient, onAuthStateChange, sessionAtOnce } from './auth-client.ts'
import { claimLocalData } from './local-data.ts'
import { markSignedIn } from './mark-signed-in.ts'
import { owesSecondFactor } from './second-factor.ts'

/** AUTH-21: the signed-in user; `loading` until the stored session has been read or an auth event has arrived (AUTH-22). */
export type SessionState = {
  user: User | null
  session: Session | null
  /** A session whose second factor is pending (AUTH-19): the user counts as a visitor until verification. */
  pending: Session | null
  loading: boolean
}

const unknown: SessionState = { user: null, session: null, pending: null, loading: true }
const SessionContext = createContext<SessionState>(unknown)

type Props = {
  children: ReactNode
  /** Called when the user changes or signs out. Not called for the initial state. */
  onUserChange: () => void
  /** Called when a recovery link has signed the user in, so that they can set a new password (AUTH-20, AUTH-23). */
  onRecovery?: () => void
}

export function SessionProvider({ children, onUserChange, onRecovery }: Props) {
  const [state, setState] = useState(() => enter(sessionAtOnce()))
  const known = useRef(state.loading ? undefined : idOf(state))

  useEffect(
    () =>
      onAuthStateChange((event, stored) => {
        const next = enter(stored)
        const changed = known.current !== undefined && known.current !== idOf(next)
        known.current = idOf(next)
        setState(next)
        // Deferred: the client waits for its listeners, and this one may lead to calls of the client.
        if (changed) setTimeout(onUserChange, 0)
        if (event === 'PASSWORD_RECOVERY' && onRecovery) setTimeout(onRecovery, 0)
      }),
    [onUserChange, onRecovery],
  )
  useAuthClient(useIdle() || state.loading)

  return <SessionContext value={state}>{children}</SessionContext>
}

/** Loads the client, which refreshes the session and follows other tabs, when `wanted`; after an offline start, once there is a connection. */
function useAuthClient(wanted: boolean) {
  useEffect(() => {
    if (!wanted) return
    const load = () => {
      // Offline, it would only try to refresh the session, for half a minute.
      if (onlineManager.isOnline()) authClient().catch(() => undefined) // callers that need it report the error
    }
    load()
    return onlineManager.subscribe(load)
  }, [wanted])
}

/** The state of a session, without anything left from the previous user. */
function enter(stored: Session | null | undefined): SessionState {
  const state = stateOf(stored)
  if (state.user) claimLocalData(state.user.id)
  // What others read offline, also if their session ended on the server, or while no tab was open.
  if (!state.loading) void forgetOfflineData(state.user?.id)
  if (!state.loading) markSignedIn(state.user !== null)
  return state
}

function stateOf(stored: Session | null | undefined): SessionState {
  if (stored === undefined) return unknown
  const pending = stored && owesSecondFactor(stored) ? stored : null
  const session = pending ? null : stored
  return { user: session?.user ?? null, session, pending, loading: false }
}

const idOf = ({ user }: SessionState): string | null => user?.id ?? null

export function useSession(): SessionState {
  return useContext(SessionContext)
}
