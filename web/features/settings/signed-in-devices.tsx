import { Badge, Button } from '@mantine/core'
import { nameDevice } from '@ovation/contract/device-name'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { formatAgoInWords } from '../../lib/format/format-ago.ts'
import { formatExact } from '../../lib/format/format-date.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { announce, toast } from '../../ui/toast.ts'
import { ForSettings } from './for-settings.tsx'
import { Section } from './section.tsx'
import { SettingSwitch } from './setting-switch.tsx'
import classes from './settings.module.css'
import { type OwnSession, sessionsQuery } from './sign-in-queries.ts'

const texts = settingsTexts.sessions

/** The account's sessions, with a button to end each, and a notice of new ones (SET-22, D38). */
export function Sessions({ profileId }: { profileId: string }) {
  const sessions = useQuery(sessionsQuery())
  return (
    <Section title={texts.title}>
      {sessions.data ? (
        <List sessions={sessions.data} />
      ) : sessions.isError ? (
        <LoadFailed title={texts.loadFailed} of={sessions} />
      ) : (
        <ListSkeleton rows={2} />
      )}
      <div className={classes.body}>
        <ForSettings profileId={profileId}>
          {({ security }, save) => (
            <SettingSwitch
              label={texts.loginAlerts}
              hint={texts.loginAlertsHint}
              checked={security.loginAlerts}
              onChange={(loginAlerts) => save({ security: { loginAlerts } })}
            />
          )}
        </ForSettings>
      </div>
    </Section>
  )
}

function List({ sessions }: { sessions: OwnSession[] }) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const settled = () => void queryClient.invalidateQueries({ queryKey: sessionsQuery().queryKey })
  const end = useMutation({
    mutationFn: async (id: string) => {
      await supabase.rpc('end_own_session', { session_id: id }).throwOnError()
    },
    onSuccess: () => announce(texts.ended),
    onError: (error) => toast.error(errorMessageOf(error), texts.failed),
    onSettled: settled,
  })
  const endOthers = useMutation({
    mutationFn: async () => {
      const { error } = await (await authClient()).signOut({ scope: 'others' })
      if (error) throw error
    },
    onSuccess: () => toast.success(texts.endedOthers),
    onError: (error) => toast.error(errorMessageOf(error), texts.failed),
    onSettled: () => {
      setAsking(false)
      settled()
    },
  })
  return (
    <>
      <ul className={classes.rows}>
        {sessions.map((session) => (
          <Session
            key={session.id}
            session={session}
            ending={end.isPending && end.variables === session.id}
            onEnd={() => end.mutate(session.id)}
          />
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button variant="default" mt="xs" onClick={() => setAsking(true)}>
          {texts.endOthers}
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={texts.endOthersDialog.title}
          message={texts.endOthersDialog.message}
          confirmLabel={texts.endOthersDialog.confirm}
          pending={endOthers.isPending}
          onConfirm={() => endOthers.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

function Session({ session, ending, onEnd }: { session: OwnSession; ending: boolean; onEnd: () => void }) {
  const device = nameDevice(session.user_agent)
  return (
    <li className={classes.row}>
      <div className={`${classes.rowWords} ${classes.shortText}`}>
        <div className={classes.rowTitle}>
          <span className={classes.sentence}>{device}</span>
          {session.is_current && (
            <Badge variant="light" color="teal" tt="none" className={classes.free}>
              {texts.current}
            </Badge>
          )}
        </div>
        <p className={classes.rowDetail} title={formatExact(session.created_at)}>
          {texts.seen(formatAgoInWords(session.last_used_at), session.ip)}
        </p>
      </div>
      {!session.is_current && (
        <Button variant="subtle" color="gray" onClick={onEnd} loading={ending} aria-label={texts.endNamed(device)}>
          {texts.end}
        </Button>
      )}
    </li>
  )
}
