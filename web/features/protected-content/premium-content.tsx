import { Tabs } from '@mantine/core'
import { premiumTexts } from '@ovation/contract/texts/protected-content'
import { IconArticle, IconDownload, IconPhoto, IconVideo } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Byline } from '../../lib/api/byline.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { TabStrip } from '../../ui/tab-strip.tsx'
import { Articles, Downloads, Photos, type PremiumFile, Videos } from './premium-sections.tsx'
import { PremiumContentSkeleton } from './premium-skeleton.tsx'
import { premiumPostsQuery } from './queries.ts'

const icon = { size: 18, stroke: 1.6 }
const sections = ['videos', 'photos', 'articles', 'downloads'] as const
type Section = (typeof sections)[number]
const icons = {
  videos: <IconVideo {...icon} />,
  photos: <IconPhoto {...icon} />,
  articles: <IconArticle {...icon} />,
  downloads: <IconDownload {...icon} />,
}

/** A creator's content for subscribers, by kind: videos, photos, articles, downloads (PREM-03). */
export function PremiumContent({ creator }: { creator: Byline }) {
  const posts = useInfiniteQuery(premiumPostsQuery(creator.id))
  const all = posts.data?.pages.flat()
  const open = (all ?? []).filter((post) => !post.is_locked)
  const files = open.flatMap((post) =>
    post.media_urls.map(
      (path, index): PremiumFile => ({
        post,
        path,
        type: post.media_types[index] ?? 'image',
        preview: post.media_previews[index],
      }),
    ),
  )
  const media = useMediaLinks(files.map(({ path }) => path))
  const [chosen, setChosen] = useState<Section>()

  const shown = {
    videos: files.filter(({ type }) => type === 'video'),
    photos: files.filter(({ type }) => type === 'image'),
    articles: open.filter(({ content }) => content?.trim()),
    downloads: files,
  }
  // The first section with content.
  const section = chosen ?? sections.find((one) => shown[one].length > 0) ?? 'videos'
  const name = nameOf(creator)
  const none = (kind: Section) => <EmptyState {...premiumTexts.none[kind]} />

  return (
    <PagedList
      query={posts}
      rows={all}
      pending={<PremiumContentSkeleton />}
      failed={{ title: premiumTexts.loadFailed }}
      moreFailed={premiumTexts.moreFailed}
    >
      {(loaded, more) => (
        <Tabs value={section} onChange={(value) => setChosen(value as Section)} keepMounted={false}>
          <TabStrip
            label={premiumTexts.title}
            names={sections}
            open={section}
            words={premiumTexts.sections}
            icons={icons}
          />
          <Tabs.Panel value="videos">
            {shown.videos.length > 0 ? <Videos files={shown.videos} media={media} name={name} /> : none('videos')}
          </Tabs.Panel>
          <Tabs.Panel value="photos">
            {shown.photos.length > 0 ? <Photos files={shown.photos} media={media} name={name} /> : none('photos')}
          </Tabs.Panel>
          <Tabs.Panel value="articles">
            {shown.articles.length > 0 ? <Articles posts={shown.articles} /> : none('articles')}
          </Tabs.Panel>
          <Tabs.Panel value="downloads">
            {shown.downloads.length > 0 ? <Downloads files={shown.downloads} /> : none('downloads')}
          </Tabs.Panel>
          {loaded.length > open.length && <p>{premiumTexts.otherPlan(loaded.length - open.length)}</p>}
          {more}
        </Tabs>
      )}
    </PagedList>
  )
}
