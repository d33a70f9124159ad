import { Button, Skeleton, Stack, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { bioMaxLength, displayNameMaxLength, usernameMaxLength } from '@ovation/contract/limits'
import { authTexts } from '@ovation/contract/texts/auth'
import { commonTexts } from '@ovation/contract/texts/common'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isUsernameTaken, meansUsernameTaken } from '../../domain/accounts/username-taken.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { viewerKey } from '../../lib/auth/viewer.ts'
import { isDisplayName, isUsername, normalizeUsername } from '../../lib/forms/validators.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { type OwnProfile, ownProfileQuery } from './own-profile-query.ts'
import { Section } from './section.tsx'
import classes from './settings.module.css'

const texts = settingsTexts.profile

/** SET-12: username, display name and bio (API-REST-05). */
export function ProfileForm({ profileId }: { profileId: string }) {
  const profile = useQuery(ownProfileQuery(profileId))
  return (
    <Section title={texts.title}>
      {profile.data ? (
        <Form profileId={profileId} profile={profile.data} />
      ) : profile.isError ? (
        <LoadFailed title={settingsTexts.loadFailed} of={profile} />
      ) : (
        <Waiting />
      )}
    </Section>
  )
}

/** Placeholders as high as the form, so that content below doesn't move when it loads. */
function Waiting() {
  return (
    <div className={classes.waiting} role="status" aria-label={commonTexts.loading}>
      {[36, 36, 110].map((height, field) => (
        <Stack gap="xs" key={`field-${String(field)}`}>
          <Skeleton height={12} width="6rem" />
          <Skeleton height={height} radius="md" />
        </Stack>
      ))}
      <Skeleton height={36} width="8.5rem" radius="md" />
    </div>
  )
}

function Form({ profileId, profile }: { profileId: string; profile: OwnProfile }) {
  const queryClient = useQueryClient()
  const form = useAppForm({
    initialValues: {
      username: profile.username ?? '',
      displayName: profile.display_name ?? '',
      bio: profile.bio ?? '',
    },
    validate: {
      username: (value) => {
        if (value === '') return texts.usernameMissing
        return isUsername(value) ? null : authTexts.errors.usernameWrong
      },
      displayName: (value) => (isDisplayName(value) ? null : authTexts.errors.displayNameLong),
      bio: (value) => (value.length <= bioMaxLength ? null : texts.bioLong),
    },
    draft: { key: `settings-profile:${profileId}` },
  })
  const { username } = form.values
  const availability = useAvailability(username, profile.username)

  const showTaken = () => {
    form.showError('username', authTexts.usernameTaken.message)
    toast.error(authTexts.usernameTaken.message, authTexts.usernameTaken.title)
  }
  const save = useMutation({
    mutationFn: async (values: typeof form.values) => {
      const { error } = await supabase
        .from('profiles')
        .update({
          username: values.username,
          display_name: values.displayName.trim() || null,
          bio: values.bio.trim() || null,
        })
        .eq('id', profileId)
      if (error) throw error
    },
    onSuccess: (_answer, values) => {
      form.forgetDraft()
      form.resetDirty(values)
      toast.success(settingsTexts.saved)
      void queryClient.invalidateQueries({ queryKey: viewerKey })
      void queryClient.invalidateQueries({ queryKey: ['profile'] })
      void queryClient.invalidateQueries({ queryKey: ownProfileQuery(profileId).queryKey })
    },
    onError: (error) => meansUsernameTaken(error.message) && showTaken(),
  })
  const failed = save.error !== null && !meansUsernameTaken(save.error.message)

  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(async (values) =>
        availability === 'taken' ? showTaken() : save.mutateAsync(values),
      )}
    >
      <Stack>
        <TextInput
          label={texts.username}
          description={<Availability state={availability} />}
          autoComplete="nickname"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={usernameMaxLength}
          {...form.getInputProps('username')}
          onChange={(event) => form.setFieldValue('username', normalizeUsername(event.currentTarget.value))}
          error={form.errors.username ?? (availability === 'taken' ? authTexts.usernameTaken.message : null)}
        />
        <TextInput
          label={texts.displayName}
          autoComplete="name"
          maxLength={displayNameMaxLength}
          {...form.getInputProps('displayName')}
        />
        <Textarea label={texts.bio} rows={4} {...form.getInputProps('bio')} />
        <div>
          <FormFailure message={failed ? settingsTexts.saveFailed : undefined} />
          <Button type="submit" loading={save.isPending}>
            {settingsTexts.save}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

type State = 'own' | 'checking' | 'free' | 'taken' | 'unknown'

/** Checks a username once typing pauses (API-REST-06). The unique constraint has the last word. */
function useAvailability(username: string, own: string | null): State {
  const [settled] = useDebouncedValue(username, 350)
  const asks = settled !== own && isUsername(settled)
  const check = useQuery({
    queryKey: ['username-taken', settled],
    enabled: asks,
    staleTime: 10_000,
    queryFn: ({ signal }) => isUsernameTaken(settled, signal),
  })
  if (username === own || !isUsername(username)) return 'own'
  if (settled !== username || check.isPending) return 'checking'
  if (check.data === undefined) return 'unknown'
  return check.data ? 'taken' : 'free'
}

function Availability({ state }: { state: State }) {
  return (
    <span aria-live="polite" className={state === 'free' ? classes.free : undefined}>
      {state === 'free' ? texts.free : state === 'checking' ? texts.checking : texts.usernameHint}
    </span>
  )
}
