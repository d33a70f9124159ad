import { Badge, Button } from '@mantine/core'
import { linksMax } from '@ovation/contract/limits'
import { ownLinksCookie } from '@ovation/contract/opened-links'
import { trackingLinkTexts as texts } from '@ovation/contract/texts/tracking-links'
import { trackingLinkPath, trackingLinksPath } from '@ovation/contract/tracking-links'
import { IconCopy, IconLink, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { linksQuery, type TrackingLink } from '../../domain/tracking-links/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Segments } from '../../ui/segments.tsx'
import { copyLink } from '../../ui/share.ts'
import { describeTrial } from './describe-trial.ts'
import { LinkFigures } from './link-figures.tsx'
import { LinkMenu } from './link-menu.tsx'
import classes from './links.module.css'

const LinkDetails = lazy(() => import('./link-details.tsx'))
const LinkForm = lazy(() => import('./link-form.tsx'))

/** A creator's links (LINK-01..04): all of them, or the one that is open. */
export default function LinksTab({ profileId }: { profileId: string }) {
  const [parameters] = useSearchParams()
  const open = parameters.get('link')
  // The creator's own visits don't count: this browser says whose it is (server/public-pages/links/opened-links.ts).
  useEffect(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs TLS
    document.cookie = `${ownLinksCookie}=${profileId}; max-age=31536000; path=/l; samesite=lax`
  }, [profileId])
  if (open === null) return <Links viewerId={profileId} />
  return (
    <Suspense fallback={<ListSkeleton rows={3} />}>
      <LinkDetails key={open} viewerId={profileId} linkId={open} />
    </Suspense>
  )
}

function Links({ viewerId }: { viewerId: string }) {
  const [view, setView] = useState<'active' | 'archived'>('active')
  const links = useQuery(linksQuery(viewerId, view === 'archived'))
  const [creating, setCreating] = useState(false)
  const isFull = view === 'active' && (links.data?.length ?? 0) >= linksMax
  const create = (
    <Button leftSection={<IconPlus size={17} stroke={1.9} aria-hidden="true" />} onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  )
  return (
    <section aria-labelledby="links-title">
      <div className={classes.head}>
        <div className={classes.about}>
          <h2 id="links-title" className={classes.title}>
            {texts.title}
          </h2>
          <p className={classes.hint}>{isFull ? texts.most : texts.hint}</p>
        </div>
        {links.data && links.data.length > 0 && !isFull && create}
      </div>
      <Segments
        className={classes.views}
        aria-label={texts.shown}
        value={view}
        onChange={setView}
        data={(['active', 'archived'] as const).map((value) => ({ value, label: texts.views[value] }))}
      />
      {!links.data ? (
        links.isError ? (
          <LoadFailed title={texts.loadFailed} of={links} />
        ) : (
          <ListSkeleton rows={3} />
        )
      ) : links.data.length === 0 ? (
        <EmptyState
          icon={<IconLink size={26} stroke={1.5} />}
          {...texts.empty[view]}
          action={view === 'active' && create}
        />
      ) : (
        <>
          <ul className={classes.links}>
            {links.data.map((link) => (
              <LinkRow key={link.id} viewerId={viewerId} link={link} />
            ))}
          </ul>
          <p className={classes.hint}>{texts.updated}</p>
        </>
      )}
      {creating && (
        <Suspense>
          <LinkForm viewerId={viewerId} onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </section>
  )
}

function LinkRow({ viewerId, link }: { viewerId: string; link: TrackingLink }) {
  return (
    <li className="surface">
      <div className={classes.linkHead}>
        <h3 className={classes.name} dir="auto">
          <Link to={trackingLinksPath(link.id)}>{link.name}</Link>
        </h3>
        {link.trial_days !== null && <Badge variant="light">{texts.trial(link.trial_days)}</Badge>}
        <div className={classes.actions}>
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconCopy size={16} stroke={1.75} aria-hidden="true" />}
            aria-label={texts.copyNamed(link.name)}
            onClick={() => void copyLink(trackingLinkPath(link.code))}
          >
            {texts.copy}
          </Button>
          <LinkMenu viewerId={viewerId} link={link} />
        </div>
      </div>
      <div className={classes.hint}>
        <p className={`${classes.facts} facts`}>
          <span>{trackingLinkPath(link.code)}</span>
          <span dir="auto">{describeTarget(link)}</span>
          {link.trial_until !== null && <span>{describeTrial(link)}</span>}
        </p>
      </div>
      <LinkFigures figures={link} />
    </li>
  )
}

function describeTarget({ target, plan, product }: TrackingLink): string {
  if (product) return texts.toProduct(product.title)
  return plan ? texts.toPlan(plan.name) : texts.targets[target]
}
