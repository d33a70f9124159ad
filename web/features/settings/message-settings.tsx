import { Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { awayMessageMaxLength } from '@ovation/contract/limits'
import { awayTexts } from '@ovation/contract/texts/away-messages'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReplyTime } from '../../domain/messages/message-notice-query.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { endOfDay, localDate } from '../../lib/format/local-time.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { Section } from './section.tsx'

const texts = awayTexts.settings

type Settings = {
  is_away: boolean
  /** Stays while the switch is off, for the next time. */
  away_message: string | null
  away_until: string | null
  shows_reply_time: boolean
}
type Values = {
  isAway: boolean
  awayMessage: string
  /** A date, `"2026-03-04"`; empty for no end. */
  lastDay: string
  showsReplyTime: boolean
}

/** For a creator who has chosen nothing. */
export const undecided: Settings = { is_away: false, away_message: null, away_until: null, shows_reply_time: false }

const messageSettingsQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['message-settings', creatorId],
    queryFn: async ({ signal }): Promise<Settings> => {
      const { data } = await supabase
        .from('message_settings')
        .select('is_away, away_message, away_until, shows_reply_time')
        .eq('creator_id', creatorId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data ?? undecided
    },
  })

/** How soon the creator usually replies, also while fans don't see it. */
const ownReplyTimeQuery = () =>
  queryOptions({
    queryKey: ['own-reply-time'],
    queryFn: async ({ signal }): Promise<ReplyTime | null> => {
      const { data } = await supabase
        .rpc('get_own_reply_time', undefined, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as ReplyTime | null
    },
  })

/** A creator's away message, and whether fans see how soon they reply (PAGE-03). */
export default function MessageSettings({ profileId }: { profileId: string }) {
  const settings = useQuery(messageSettingsQuery(profileId))
  return (
    <Section title={texts.title}>
      {settings.data ? (
        <MessageSettingsForm creatorId={profileId} settings={settings.data} />
      ) : settings.isError ? (
        <LoadFailed title={texts.loadFailed} of={settings} />
      ) : (
        <ListSkeleton rows={3} />
      )}
    </Section>
  )
}

export function MessageSettingsForm({ creatorId, settings }: { creatorId: string; settings: Settings }) {
  const queryClient = useQueryClient()
  const replyTime = useQuery(ownReplyTimeQuery())
  const form = useAppForm<Values>({
    initialValues: valuesOf(settings),
    validate: {
      awayMessage: (value, { isAway }) => {
        if (value.length > awayMessageMaxLength) return texts.errors.long
        return isAway && value.trim() === '' ? texts.errors.missing : null
      },
      lastDay: (value) => (value === '' || endOfDay(value).getTime() > Date.now() ? null : texts.errors.lastDay),
    },
    draft: { key: `message-settings:${creatorId}` },
  })
  const save = useMutation({
    mutationFn: async ({ isAway, awayMessage, lastDay, showsReplyTime }: Values) => {
      const row: Settings = {
        is_away: isAway,
        away_message: awayMessage.trim() || null,
        away_until: lastDay === '' ? null : endOfDay(lastDay).toISOString(),
        shows_reply_time: showsReplyTime,
      }
      await supabase
        .from('message_settings')
        .upsert({ creator_id: creatorId, ...row })
        .throwOnError()
      return row
    },
    onSuccess: (row) => {
      form.forgetDraft()
      queryClient.setQueryData(messageSettingsQuery(creatorId).queryKey, row)
      toast.success(texts.saved)
    },
  })
  const busy = { readOnly: save.isPending }
  return (
    <form noValidate aria-label={texts.title} onSubmit={form.handleSubmit((values) => save.mutateAsync(values))}>
      <Stack>
        <Switch
          label={texts.isAway}
          description={texts.isAwayHint}
          disabled={save.isPending}
          {...form.getInputProps('isAway', { type: 'checkbox' })}
        />
        <Textarea
          label={texts.message}
          description={texts.messageHint}
          rows={3}
          maxLength={awayMessageMaxLength}
          dir="auto"
          {...busy}
          {...form.getInputProps('awayMessage')}
        />
        <TextInput
          type="date"
          label={texts.lastDay}
          description={texts.lastDayHint}
          min={localDate(new Date())}
          {...busy}
          {...form.getInputProps('lastDay')}
        />
        <Switch
          label={texts.showsReplyTime}
          description={`${texts.showsReplyTimeHint} ${describe(replyTime.data)}`}
          disabled={save.isPending}
          {...form.getInputProps('showsReplyTime', { type: 'checkbox' })}
        />
        <FormFoot submit={texts.submit} pending={save.isPending} failed={texts.failed} error={save.error} />
      </Stack>
    </form>
  )
}

/** An away message that has ended is off. */
function valuesOf({ is_away, away_message, away_until, shows_reply_time }: Settings): Values {
  const isOver = away_until !== null && Date.parse(away_until) <= Date.now()
  return {
    isAway: is_away && !isOver,
    awayMessage: away_message ?? '',
    lastDay: away_until === null || isOver ? '' : localDate(new Date(away_until)),
    showsReplyTime: shows_reply_time,
  }
}

/** What fans see, or why they don't; nothing while it loads. */
function describe(replyTime: ReplyTime | null | undefined): string {
  if (replyTime === undefined) return ''
  return replyTime ? texts.shown(awayTexts.replies[replyTime]) : texts.tooFew
}
