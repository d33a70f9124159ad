import type { Community } from '../community.ts'
import type { Table, Value } from '../copy.ts'
import { mediaPaths, type Post, postAt, textOf } from '../posts.ts'

/** Posts with the rows of their files. The bytes don't exist: the address of a seeded picture answers 404. */
export function posts(community: Community): Table[] {
  const { chance, tallies, plan } = community
  return [
    {
      name: 'private.posts',
      columns: [
        'id',
        'creator_id',
        'title',
        'content',
        'post_type',
        'media_urls',
        'media_types',
        'required_tier_id',
        'ppv_price',
        'likes_count',
        'comments_count',
        'created_at',
      ],
      *rows() {
        for (let number = 0; number < plan.posts; number++) {
          const post = postAt(community, number)
          const { title, content } = textOf(community, number, post.category)
          tally(community, post)
          yield [
            post.id,
            community.profileId(post.creator),
            title,
            content,
            post.type,
            mediaPaths(community, number, post),
            post.media,
            post.planId,
            post.priceCents,
            tallies.postLikes[number] ?? 0,
            tallies.postComments[number] ?? 0,
            new Date(post.createdAt),
          ]
        }
      },
    },
    {
      name: 'private.post_media',
      columns: ['path', 'post_id', 'position', 'media_type'],
      rows: () => files(community, ({ post, path, place, type }) => [path, post.id, place + 1, type]),
    },
    {
      name: 'storage.objects',
      columns: [
        'id',
        'bucket_id',
        'name',
        'owner',
        'owner_id',
        'metadata',
        'created_at',
        'updated_at',
        'last_accessed_at',
      ],
      rows: () =>
        files(community, ({ post, path, place, type, number }) => {
          const owner = community.userId(post.creator)
          const at = new Date(post.createdAt)
          const mimetype = type === 'image' ? 'image/jpeg' : 'video/mp4'
          const size = 100_000 + chance.random('object', number * 4 + place).below(900_000)
          const metadata = JSON.stringify({ mimetype, size, cacheControl: 'max-age=3600', lastModified: at })
          return [chance.uuid('object', number * 4 + place), 'posts', path, owner, owner, metadata, at, at, at]
        }),
    },
  ]
}

function tally({ tallies }: Community, { creator, media, createdAt }: Post) {
  const photos = media.filter((type) => type === 'image').length
  tallies.posts[creator] = (tallies.posts[creator] ?? 0) + 1
  tallies.photos[creator] = (tallies.photos[creator] ?? 0) + photos
  tallies.videos[creator] = (tallies.videos[creator] ?? 0) + media.length - photos
  tallies.firstPostedAt[creator] = Math.min(tallies.firstPostedAt[creator] ?? createdAt, createdAt)
  tallies.lastPostedAt[creator] = Math.max(tallies.lastPostedAt[creator] ?? 0, createdAt)
}

type File = {
  readonly number: number
  readonly post: Post
  readonly path: string
  readonly place: number
  readonly type: 'image' | 'video'
}

function* files(community: Community, row: (file: File) => Value[]) {
  for (let number = 0; number < community.plan.posts; number++) {
    const post = postAt(community, number)
    for (const [place, path] of mediaPaths(community, number, post).entries()) {
      const type = post.media[place]
      if (type) yield row({ number, post, path, place, type })
    }
  }
}
