import { PostThumbnail } from '../../domain/posts/post-thumbnail.tsx'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import type { OwnPost } from './post-queries.ts'

/** The picture of a post in a list. @param among the posts of one request for links. */
export default function RowPicture({ post, among }: { post: OwnPost; among: OwnPost[] }) {
  const { links } = useMediaLinks(among.flatMap(({ media_urls: [first] }) => first ?? []))
  return <PostThumbnail post={post} links={links} />
}
