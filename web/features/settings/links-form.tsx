import { ActionIcon, Button, Stack, TextInput } from '@mantine/core'
import { profileLinkLabelMaxLength, profileLinksMax } from '@ovation/contract/profile-layouts'
import { pageSettingsTexts } from '@ovation/contract/texts/page-settings'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { linkColumns, type ProfileLink } from '../../domain/creators/layout.ts'
import { supabase } from '../../lib/api/supabase.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { isTooLong, linkAddress } from './link-address.ts'
import { LinkChecks } from './link-checks.tsx'
import { linksQuery } from './page-queries.ts'
import classes from './page-settings.module.css'

const texts = pageSettingsTexts.links

type Row = { key: string; label: string; url: string }
type Values = { links: Row[] }

/** A creator's links to other sites, and what verifies them (PAGE-01). */
export function LinksForm({ viewer, links }: { viewer: Viewer; links: ProfileLink[] }) {
  const queryClient = useQueryClient()
  const { queryKey } = linksQuery(viewer.profileId)
  const form = useAppForm<Values>({
    initialValues: { links: links.map(rowOf) },
    validate: {
      links: {
        label: (value) => {
          if (value.trim() === '') return texts.errors.labelMissing
          return value.trim().length <= profileLinkLabelMaxLength ? null : texts.errors.labelLong
        },
        url: (value, { links: rows }, path) => {
          const address = linkAddress(value)
          if (address === null) return texts.errors.urlWrong
          if (isTooLong(address)) return texts.errors.urlLong
          const isRepeated = rows.findIndex(({ url }) => linkAddress(url) === address) < Number(path.split('.')[1])
          return isRepeated ? texts.errors.urlTwice : null
        },
      },
    },
    draft: { key: `profile-links:${viewer.profileId}` },
  })
  const rows = form.values.links

  const save = useMutation({
    mutationFn: async ({ links }: Values) => {
      const list = links.map(({ label, url }) => ({ label: label.trim(), url: linkAddress(url) ?? url }))
      const { data } = await supabase.rpc('set_profile_links', { links: list }).select(linkColumns).throwOnError()
      return data
    },
    onSuccess: (saved, { links }) => {
      // Addresses as they are stored. The rows stay, and with them the focus.
      form.setValues({ links: saved.map((link, index) => ({ ...rowOf(link), key: links[index]?.key ?? link.id })) })
      form.forgetDraft()
      queryClient.setQueryData(queryKey, saved)
      toast.success(texts.saved)
      return queryClient.invalidateQueries({ queryKey: ['profile'] })
    },
  })
  return (
    <>
      <form noValidate aria-label={texts.title} onSubmit={form.handleSubmit((values) => save.mutateAsync(values))}>
        <Stack>
          {rows.length > 0 && (
            <ul className={classes.links}>
              {rows.map(({ key }, index) => (
                <li key={key}>
                  <fieldset className={classes.linkRow} aria-label={texts.numbered(index + 1)}>
                    <TextInput
                      label={texts.label}
                      maxLength={profileLinkLabelMaxLength}
                      dir="auto"
                      readOnly={save.isPending}
                      {...form.getInputProps(`links.${index}.label`)}
                    />
                    <TextInput
                      type="url"
                      inputMode="url"
                      label={texts.url}
                      placeholder="https://"
                      readOnly={save.isPending}
                      {...form.getInputProps(`links.${index}.url`)}
                    />
                    <ActionIcon
                      variant="default"
                      size="input-sm"
                      className={classes.remove}
                      aria-label={texts.remove(index + 1)}
                      disabled={save.isPending}
                      onClick={() => form.removeListItem('links', index)}
                    >
                      <IconX size={18} stroke={1.6} />
                    </ActionIcon>
                  </fieldset>
                </li>
              ))}
            </ul>
          )}
          <div>
            <Button
              variant="default"
              leftSection={<IconPlus size={18} stroke={1.6} />}
              disabled={rows.length >= profileLinksMax || save.isPending}
              onClick={() => form.insertListItem('links', { key: `new-${performance.now()}`, label: '', url: '' })}
            >
              {texts.add}
            </Button>
          </div>
          <FormFoot submit={texts.submit} pending={save.isPending} failed={texts.failed} error={save.error} secondary />
        </Stack>
      </form>
      {links.length > 0 && <LinkChecks viewer={viewer} links={links} />}
    </>
  )
}

const rowOf = ({ id, label, url }: ProfileLink): Row => ({ key: id, label, url })
