import { Input, Stack, Switch, Textarea } from '@mantine/core'
import { type ProfileTab, profileTabs, welcomeMaxLength } from '@ovation/contract/profile-layouts'
import { pageSettingsTexts as texts } from '@ovation/contract/texts/page-settings'
import { profileTexts } from '@ovation/contract/texts/profile'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Layout } from '../../domain/creators/layout.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { OrderList } from '../../ui/order-list.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { AccentField } from './accent-field.tsx'
import { colorOf } from './color-of.ts'
import { layoutQuery } from './page-queries.ts'
import classes from './page-settings.module.css'
import { PostField } from './post-field.tsx'

type Values = {
  /** As typed; empty for the usual color. */
  color: string
  welcomeText: string
  /** Empty for none, like the next one. */
  welcomePostId: string
  featuredPostId: string
  tabOrder: ProfileTab[]
  showsSubscriberCount: boolean
  showsPostCount: boolean
}

/** Everything about a creator's profile that is saved together (PAGE-01). */
export function LayoutForm({ creatorId, layout }: { creatorId: string; layout: Layout }) {
  const queryClient = useQueryClient()
  const form = useAppForm<Values>({
    initialValues: valuesOf(layout),
    validate: {
      color: (value) => (value.trim() === '' || colorOf(value) ? null : texts.color.wrong),
      welcomeText: (value) => (value.length <= welcomeMaxLength ? null : texts.welcome.long),
    },
    draft: { key: `profile-layout:${creatorId}` },
  })
  const save = useMutation({
    mutationFn: async (values: Values) => {
      const row = layoutOf(values)
      await supabase
        .from('profile_layouts')
        .upsert({ creator_id: creatorId, ...row })
        .throwOnError()
      return row
    },
    onSuccess: (row) => {
      form.forgetDraft()
      queryClient.setQueryData(layoutQuery(creatorId).queryKey, row)
      toast.success(texts.saved)
      return queryClient.invalidateQueries({ queryKey: ['profile'] })
    },
  })
  const busy = save.isPending
  return (
    <form noValidate aria-label={texts.title} onSubmit={form.handleSubmit((values) => save.mutateAsync(values))}>
      <Stack gap="lg">
        <AccentField
          readOnly={busy}
          {...form.getInputProps('color')}
          code={colorOf(form.values.color)}
          onPick={(color) => form.setFieldValue('color', color)}
        />
        <Textarea
          label={texts.welcome.label}
          description={texts.welcome.hint}
          rows={3}
          maxLength={welcomeMaxLength}
          dir="auto"
          readOnly={busy}
          {...form.getInputProps('welcomeText')}
        />
        <PostField
          label={texts.welcome.video}
          hint={texts.welcome.videoHint}
          kind="videos"
          creatorId={creatorId}
          saved={layout.welcome_post_id ?? ''}
          disabled={busy}
          {...form.getInputProps('welcomePostId')}
        />
        <PostField
          label={texts.posts.featured}
          hint={texts.posts.featuredHint}
          kind="all"
          creatorId={creatorId}
          saved={layout.featured_post_id ?? ''}
          disabled={busy}
          {...form.getInputProps('featuredPostId')}
        />
        <Input.Wrapper label={texts.tabs.label} description={texts.tabs.hint} labelElement="div">
          <Stack gap={0} mt="xs">
            <OrderList
              items={form.values.tabOrder}
              keyOf={(name) => name}
              nameOf={(name) => profileTexts.tabs[name]}
              texts={texts.tabs}
              disabled={busy}
              onChange={(order) => form.setFieldValue('tabOrder', order)}
            >
              {(name) => profileTexts.tabs[name]}
            </OrderList>
          </Stack>
        </Input.Wrapper>
        <Input.Wrapper label={texts.facts.label} labelElement="div" id="plan-facts">
          <Stack mt="xs" component="fieldset" className={classes.facts} aria-labelledby="plan-facts-label">
            <Switch
              label={texts.facts.subscribers}
              disabled={busy}
              {...form.getInputProps('showsSubscriberCount', { type: 'checkbox' })}
            />
            <Switch
              label={texts.facts.posts}
              disabled={busy}
              {...form.getInputProps('showsPostCount', { type: 'checkbox' })}
            />
          </Stack>
        </Input.Wrapper>
        <FormFoot submit={texts.submit} pending={busy} failed={texts.failed} error={save.error} secondary />
      </Stack>
    </form>
  )
}

const valuesOf = (layout: Layout): Values => ({
  color: layout.accent_color ?? '',
  welcomeText: layout.welcome_text ?? '',
  welcomePostId: layout.welcome_post_id ?? '',
  featuredPostId: layout.featured_post_id ?? '',
  tabOrder: layout.tab_order ?? [...profileTabs],
  showsSubscriberCount: layout.shows_subscriber_count,
  showsPostCount: layout.shows_post_count,
})

const layoutOf = (values: Values): Layout => ({
  accent_color: colorOf(values.color),
  welcome_text: values.welcomeText.trim() || null,
  welcome_post_id: values.welcomePostId || null,
  featured_post_id: values.featuredPostId || null,
  // The usual order stays the usual one, even if it changes with a release.
  tab_order: profileTabs.every((name, index) => values.tabOrder[index] === name) ? null : values.tabOrder,
  shows_subscriber_count: values.showsSubscriberCount,
  shows_post_count: values.showsPostCount,
})
