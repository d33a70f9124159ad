import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import { domainRecordName, parseDomain } from '@ovation/contract/custom-domains'
import { customDomainTexts as texts } from '@ovation/contract/texts/custom-domains'
import { IconCircleCheck, IconClock } from '@tabler/icons-react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { copyText } from '../../domain/accounts/copy-text.ts'
import { callFunction } from '../../lib/api/functions.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import classes from './custom-domain.module.css'
import { Section } from './section.tsx'

type CustomDomain = {
  domain: string
  /** The text of the DNS record. */
  record: string
  /** Since when the domain has led to the profile; null while it doesn't. */
  verified_at: string | null
  /** When the record was last looked up. */
  checked_at: string | null
  missing_since: string | null
}

const domainQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['custom-domain', creatorId],
    queryFn: async ({ signal }): Promise<CustomDomain | null> => {
      const { data } = await supabase
        .from('custom_domains')
        .select('domain, record, verified_at, checked_at, missing_since')
        .eq('creator_id', creatorId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })

/** The domain that leads to a creator's profile, and the DNS records that it needs (PAGE-02). */
export default function CustomDomainSection({ profileId }: { profileId: string }) {
  const domain = useQuery(domainQuery(profileId))
  return (
    <Section title={texts.title} message={texts.message}>
      {domain.data ? (
        <Domain creatorId={profileId} domain={domain.data} />
      ) : domain.data === null ? (
        <CustomDomainForm creatorId={profileId} />
      ) : domain.isError ? (
        <LoadFailed title={texts.loadFailed} of={domain} />
      ) : (
        <ListSkeleton rows={1} />
      )}
    </Section>
  )
}

export function CustomDomainForm({ creatorId }: { creatorId: string }) {
  const queryClient = useQueryClient()
  const form = useAppForm({
    initialValues: { domain: '' },
    validate: { domain: (value) => (parseDomain(value) === null ? texts.invalid : null) },
    draft: { key: `custom-domain:${creatorId}` },
  })
  const add = useMutation({
    mutationFn: async (text: string) => {
      await supabase
        .from('custom_domains')
        .insert({ creator_id: creatorId, domain: parseDomain(text) ?? text })
        .throwOnError()
    },
    onSuccess: () => {
      form.forgetDraft()
      return queryClient.invalidateQueries({ queryKey: domainQuery(creatorId).queryKey })
    },
  })
  return (
    <form noValidate aria-label={texts.title} onSubmit={form.handleSubmit(({ domain }) => add.mutateAsync(domain))}>
      <Stack>
        <TextInput
          label={texts.domain}
          description={texts.domainHint}
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          maxLength={300}
          readOnly={add.isPending}
          {...form.getInputProps('domain')}
        />
        <FormFoot submit={texts.add} pending={add.isPending} failed={texts.addFailed} error={add.error} secondary />
      </Stack>
    </form>
  )
}

function Domain({ creatorId, domain }: { creatorId: string; domain: CustomDomain }) {
  const [removing, setRemoving] = useState(false)
  const check = useCheck(creatorId)
  const isConnected = domain.verified_at !== null
  return (
    <div className={classes.domain}>
      <p className={classes.name}>
        {isConnected ? (
          <Anchor href={`https://${domain.domain}`} dir="ltr">
            {domain.domain}
          </Anchor>
        ) : (
          <span dir="ltr">{domain.domain}</span>
        )}
        <State domain={domain} />
      </p>
      {(!isConnected || domain.missing_since) && <Records domain={domain} />}
      {isConnected && domain.missing_since && <p role="status">{texts.lost(formatDate(domain.missing_since))}</p>}
      {!isConnected && check.data?.verified === false && <p role="status">{texts.notFound}</p>}
      <FormFailure title={texts.verifyFailed} message={check.error?.message} />
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" color="gray" onClick={() => setRemoving(true)}>
          {texts.remove}
        </Button>
        {(!isConnected || domain.missing_since) && (
          <Button variant="default" onClick={() => check.mutate()} loading={check.isPending}>
            {texts.verify}
          </Button>
        )}
      </Group>
      {removing && <RemoveDialog creatorId={creatorId} domain={domain.domain} onClose={() => setRemoving(false)} />}
    </div>
  )
}

function State({ domain: { verified_at, checked_at } }: { domain: CustomDomain }) {
  const [words, Icon] = verified_at
    ? ([texts.states.connected, IconCircleCheck] as const)
    : ([checked_at ? texts.states.missing : texts.states.pending, IconClock] as const)
  return (
    <span className={classes.state} data-connected={verified_at !== null || undefined}>
      <Icon size={17} stroke={1.75} aria-hidden="true" />
      {words}
    </span>
  )
}

/** What to enter at the domain's provider. */
function Records({ domain: { domain, record } }: { domain: CustomDomain }) {
  return (
    <div>
      <p className={classes.step}>{texts.steps.title}</p>
      <ol className={classes.steps}>
        <li>{texts.steps.address(window.location.hostname)}</li>
        <li>
          {texts.steps.record}
          <dl className={classes.record}>
            <RecordPart label={texts.steps.name} value={domainRecordName(domain)} />
            <RecordPart label={texts.steps.value} value={record} />
          </dl>
        </li>
      </ol>
    </div>
  )
}

function RecordPart({ label, value }: { label: string; value: string }) {
  return (
    <div className={classes.part}>
      <dt>{label}</dt>
      <dd dir="ltr">{value}</dd>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={texts.copyPart(label)}
        onClick={() => void copyText(value, texts.copied)}
      >
        {texts.copy}
      </Button>
    </div>
  )
}

function RemoveDialog({ creatorId, domain, onClose }: { creatorId: string; domain: string; onClose: () => void }) {
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: async () => {
      await supabase.from('custom_domains').delete().eq('creator_id', creatorId).throwOnError()
    },
    onSuccess: () => {
      queryClient.setQueryData(domainQuery(creatorId).queryKey, null)
      toast.success(texts.removed)
    },
    onError: () => toast.error(texts.removeFailed),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      title={texts.removeTitle}
      message={texts.confirmRemove(domain)}
      confirmLabel={texts.remove}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  )
}

function useCheck(creatorId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => callFunction<{ verified: boolean }>('verify-custom-domain'),
    onSuccess: ({ verified }) => {
      if (verified) toast.success(texts.verified)
      return queryClient.invalidateQueries({ queryKey: domainQuery(creatorId).queryKey })
    },
  })
}
