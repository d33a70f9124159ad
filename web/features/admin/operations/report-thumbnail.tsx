import { operationsTexts } from '@ovation/contract/texts/operations'
import { useQuery } from '@tanstack/react-query'
import { sized, useMediaLinks } from '../../../lib/media/media-links.ts'
import { postCover, publicImage, smallImage } from '../../../lib/media/public-image.ts'
import classes from './lines.module.css'
import { type QueuedReport, reportedPicturesQuery } from './report-queries.ts'

/** Links to the first picture of each reported post, message, product, story, and profile (LOOP-24), signed in one request for each bucket. */
export function useThumbnails(reports: readonly QueuedReport[]): (report: QueuedReport) => string | undefined {
  const pictures = useQuery({ ...reportedPicturesQuery(reports), enabled: reports.length > 0 }).data
  const posts = useMediaLinks([...(pictures?.posts.values() ?? [])], 'posts').links
  const messages = useMediaLinks(
    reports.flatMap(({ media_urls: [first], media_types: [type] }) => (first && type === 'image' ? first : [])),
    'messages',
  ).links
  const stories = useMediaLinks([...(pictures?.stories.values() ?? [])], 'stories').links
  return ({ target_type, target_id, media_urls: [file] }) => {
    if (target_type === 'profile') {
      const profile = pictures?.profiles.get(target_id)
      const image = profile && publicImage(profile.avatar_url, profile.updated_at ?? undefined)
      return image ? smallImage(image) : undefined
    }
    if (target_type === 'product') {
      const cover = pictures?.products.get(target_id)
      return cover ? postCover(cover, 144) : undefined
    }
    const link =
      target_type === 'message'
        ? file && messages.get(file)
        : target_type === 'story'
          ? stories.get(pictures?.stories.get(target_id) ?? '')
          : posts.get(pictures?.posts.get(target_id) ?? '')
    return link ? sized(link, 144) : undefined
  }
}

/** A small preview; nothing for content without pictures. */
export function ReportThumbnail({ src, about }: { src: string | undefined; about: string }) {
  if (!src) return null
  return (
    <span className={classes.thumbnail}>
      <img src={src} alt={operationsTexts.reports.thumbnail(about)} loading="lazy" />
    </span>
  )
}
