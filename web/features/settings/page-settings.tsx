import { pageSettingsTexts as texts } from '@ovation/contract/texts/page-settings'
import { useQuery } from '@tanstack/react-query'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { LayoutForm } from './layout-form.tsx'
import { LinksForm } from './links-form.tsx'
import { layoutQuery, linksQuery } from './page-queries.ts'
import { Section } from './section.tsx'

/** How a creator's profile looks, and their links (PAGE-01). */
export default function PageSettings({ viewer }: { viewer: Viewer }) {
  const layout = useQuery(layoutQuery(viewer.profileId))
  const links = useQuery(linksQuery(viewer.profileId))
  return (
    <>
      <Section title={texts.title} message={texts.message}>
        {layout.data ? (
          <LayoutForm creatorId={viewer.profileId} layout={layout.data} />
        ) : layout.isError ? (
          <LoadFailed title={texts.loadFailed} of={layout} />
        ) : (
          <ListSkeleton rows={3} />
        )}
      </Section>
      <Section title={texts.links.title} message={texts.links.message}>
        {links.data ? (
          <LinksForm viewer={viewer} links={links.data} />
        ) : links.isError ? (
          <LoadFailed title={texts.links.loadFailed} of={links} />
        ) : (
          <ListSkeleton rows={2} />
        )}
      </Section>
    </>
  )
}
