import type { Persona } from '../personas.ts'
import { type Callable, everyoneBut, type Relation } from '../relation.ts'

/** Who sees which story, by its row and by its file. */
export const storyReaders: Readonly<Record<string, readonly Persona[]>> = {
  'creator/everyone': everyoneBut('blocked'),
  'creator/followers': ['subscriber', 'lower', 'creator', 'admin'],
  'creator/subscribers': ['subscriber', 'lower', 'creator', 'admin'],
  'creator/list': ['subscriber', 'creator', 'admin'],
  'creator/ended': ['creator', 'admin'],
  'creator/kept': ['subscriber', 'lower', 'creator', 'admin'], // in a highlight
  'rival/lost': ['rival', 'admin'], // for a list that was deleted
  'recluse/everyone': ['subscriber', 'recluse', 'admin'],
}
const names = Object.keys(storyReaders)

/** What a call answers: the stories by their captions, as each persona sees those of the creator. */
const seen = (...shown: string[]) => shown.map((name) => `SECRET of ${name}`).join(', ')
const open = ['everyone', 'followers', 'list', 'subscribers']

export const stories: Record<string, Relation> = {
  'public.stories': {
    named: `select s.id as key, p.username || '/' || replace(s.caption, 'SECRET of ', '') as name
      from public.stories s join private.profiles p on p.id = s.creator_id`,
    anon: 'select',
    authenticated: 'select delete',
    select: storyReaders,
    delete: Object.fromEntries(names.map((name) => [name, [name.split('/')[0] as Persona]])),
  },
  'public.story_views': {
    named: `select v.story_id as key, p.username || '/' || replace(s.caption, 'SECRET of ', '') as name
      from public.story_views v join public.stories s on s.id = v.story_id join private.profiles p on p.id = s.creator_id`,
    key: 'story_id',
    anon: '',
    authenticated: 'select',
    // Not the creator, who gets the viewers page by page.
    select: { 'creator/everyone': ['subscriber'], 'creator/subscribers': ['subscriber'] },
  },
  'public.story_highlights': {
    named: `select h.id as key, p.username as name from public.story_highlights h join private.profiles p on p.id = h.creator_id`,
    anon: '',
    authenticated: 'select delete',
    select: { creator: ['creator'] },
    delete: { creator: ['creator'] },
  },
}

const file = '{vault/creator/first}'

export const storyFunctions: Record<string, Callable> = {
  'create_story(uuid,text,text,text,uuid,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      // A video that isn't measured yet: its creator gets as far as that.
      'of the creator’s file': {
        sql: `select count(*) from public.create_story(${file})`,
        who: { PT409: ['creator'], PT404: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'for the creator’s list': {
        sql: `select count(*) from public.create_story(${file}, 'list', list_id => {list/creator})`,
        who: { PT409: ['creator'], PT404: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
      again: {
        sql: `select caption from public.create_story(${file}, story_id => {story creator/everyone})`,
        who: { 'SECRET of everyone': ['creator'], PT404: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
    },
  },
  'get_stories(uuid)': {
    anon: true,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: `select coalesce(string_agg(caption, ', ' order by caption), 'none') from public.get_stories({creator})`,
        who: {
          [seen(...open)]: ['subscriber', 'creator', 'admin', 'service'],
          [seen('everyone', 'followers', 'subscribers')]: ['lower'],
          none: ['blocked'],
          rest: seen('everyone'),
        },
      },
      'of the recluse': {
        sql: `select coalesce(string_agg(caption, ', '), 'none') from public.get_stories({recluse})`,
        who: { [seen('everyone')]: ['subscriber', 'recluse', 'admin', 'service'], rest: 'none' },
      },
      'how many have seen them, and the names of lists': {
        sql: `select coalesce(sum(viewers)::text || ' ' || max(list_name), 'hidden') from public.get_stories({creator})`,
        who: { '2 SECRET list': ['creator'], rest: 'hidden' },
      },
      'which ones the caller has seen': {
        sql: `select count(*) filter (where is_seen) from public.get_stories({creator})`,
        who: { '4': ['creator'], '2': ['subscriber'], rest: '0' },
      },
    },
  },
  'get_story(uuid)': {
    anon: true,
    authenticated: true,
    calls: Object.fromEntries(
      names.map((name) => [
        name,
        {
          sql: `select coalesce((select caption from public.get_story({story ${name}})), 'none')`,
          who: { [seen(name.split('/')[1] ?? '')]: [...(storyReaders[name] ?? []), 'service'], rest: 'none' },
        },
      ]),
    ),
  },
  'get_story_archive(timestamp with time zone,uuid,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'their own': {
        sql: `select count(*) from public.get_story_archive()`,
        who: { '6': ['creator'], '1': ['rival', 'recluse'], refused: ['visitor'], rest: '0' },
      },
    },
  },
  'get_story_rings()': {
    anon: false,
    authenticated: true,
    calls: {
      'whose they are, and how many are new': {
        sql: `select coalesce(string_agg(username || ' ' || stories || ' ' || unseen, ', ' order by username), 'none') from public.get_story_rings()`,
        who: {
          'creator 4 0': ['creator'],
          'creator 4 2, recluse 1 1': ['subscriber'],
          'creator 3 3': ['lower'],
          'rival 1 0': ['rival'],
          'recluse 1 0': ['recluse'],
          refused: ['visitor'],
          rest: 'none',
        },
      },
    },
  },
  'record_story_view(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of a story': {
        sql: `select public.record_story_view({story creator/list})`,
        who: { refused: ['visitor'], rest: '' },
      },
    },
  },
  'get_story_viewers(uuid,timestamp with time zone,uuid,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s': {
        sql: `select coalesce(string_agg(username, ' '), 'none') from public.get_story_viewers({story creator/everyone})`,
        who: { subscriber: ['creator'], refused: ['visitor'], rest: 'none' },
      },
    },
  },
  'get_story_highlights(uuid)': {
    anon: true,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: `select coalesce((select name || ' ' || stories || ' ' || split_part(cover_path, '/', 2) from public.get_story_highlights({creator})), 'none')`,
        who: {
          'SECRET highlight 1 story-kept': ['subscriber', 'lower', 'creator', 'admin', 'service'],
          rest: 'none',
        },
      },
    },
  },
  'get_highlight_stories(uuid)': {
    anon: true,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: `select coalesce((select caption from public.get_highlight_stories({highlight of creator})), 'none')`,
        who: { [seen('kept')]: ['subscriber', 'lower', 'creator', 'admin', 'service'], rest: 'none' },
      },
    },
  },
  'save_story_highlight(text,uuid[],uuid,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'with the creator’s story': {
        sql: `select public.save_story_highlight('New', array[{story creator/everyone}]::uuid[]) is not null`,
        who: { true: ['creator'], PT404: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'the creator’s': {
        sql: `select public.save_story_highlight('New', array(select id from public.stories where creator_id = {me} limit 1), highlight_id => {highlight of creator}) is not null`,
        who: { true: ['creator'], PT404: ['rival', 'recluse'], PT422: ['admin'], rest: 'refused' },
      },
    },
  },
  'storage.story_end(text)': {
    anon: true,
    authenticated: true,
    calls: {
      'of the creator’s': {
        sql: `select coalesce((storage.story_end({creator.user} || '/story-list') > now())::text, 'none')`,
        who: { true: ['subscriber', 'creator', 'admin', 'service'], rest: 'none' },
      },
      'after its end': {
        sql: `select coalesce(storage.story_end({creator.user} || '/story-kept')::text, 'none')`,
        who: { rest: 'none' },
      },
    },
  },
}
