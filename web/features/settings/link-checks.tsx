import { Badge, Button, Group } from '@mantine/core'
import { pageSettingsTexts } from '@ovation/contract/texts/page-settings'
import { IconCircleCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { copyText } from '../../domain/accounts/copy-text.ts'
import type { ProfileLink } from '../../domain/creators/layout.ts'
import { appConfig } from '../../lib/api/config.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { callFunction } from '../../lib/api/functions.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { toast } from '../../ui/toast.ts'
import { linksQuery } from './page-queries.ts'
import pageClasses from './page-settings.module.css'
import classes from './settings.module.css'

const texts = pageSettingsTexts.links.verifying

type Outcome = keyof typeof texts.outcomes

/** Saved links with their marks, and what to paste on the other sites (PAGE-01). */
export function LinkChecks({ viewer, links }: { viewer: Viewer; links: ProfileLink[] }) {
  const html = `<a rel="me" href="${window.location.origin}/@${viewer.username ?? viewer.userId}">${appConfig().name}</a>`
  return (
    <div>
      <h3 className={classes.subtitle}>{texts.title}</h3>
      <p className={classes.sectionMessage}>{texts.message}</p>
      <code className={pageClasses.code} dir="ltr">
        {html}
      </code>
      <Group mt="xs">
        <Button variant="default" onClick={() => void copyText(html)}>
          {texts.copy}
        </Button>
      </Group>
      <ul className={classes.rows}>
        {links.map((link) => (
          <CheckedLink key={link.id} link={link} creatorId={viewer.profileId} />
        ))}
      </ul>
    </div>
  )
}

function CheckedLink({ link, creatorId }: { link: ProfileLink; creatorId: string }) {
  const queryClient = useQueryClient()
  const check = useMutation({
    mutationFn: () => callFunction<{ outcome: Outcome; verified: boolean }>('check-profile-link', { linkId: link.id }),
    onSuccess: ({ outcome, verified }) => {
      const message = texts.outcomes[outcome](link.label)
      if (outcome === 'confirmed') toast.success(message)
      else toast.error(message)
      queryClient.setQueryData(linksQuery(creatorId).queryKey, (links) =>
        links?.map((one) =>
          one.id === link.id
            ? { ...one, verified_at: verified ? (one.verified_at ?? new Date().toISOString()) : null }
            : one,
        ),
      )
      return queryClient.invalidateQueries({ queryKey: ['profile'] })
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.failed),
  })
  return (
    <li className={classes.row}>
      <div className={classes.rowWords}>
        <div className={classes.rowTitle}>
          <bdi>{link.label}</bdi>
          {link.verified_at ? (
            <Badge variant="light" color="teal" leftSection={<IconCircleCheck size={13} />}>
              {texts.verified}
            </Badge>
          ) : (
            <Badge variant="light" color="gray">
              {texts.unverified}
            </Badge>
          )}
        </div>
        <p className={classes.rowDetail} dir="ltr">
          {link.url}
        </p>
      </div>
      <Button
        variant="default"
        loading={check.isPending}
        aria-label={texts.checkNamed(link.label)}
        onClick={() => check.mutate()}
      >
        {texts.check}
      </Button>
    </li>
  )
}
