import { expect, it } from 'vitest'
import { clipPicture, type PictureRequest } from '../../../src/media/clip/clip-picture.ts'

const track = {
  ...{ streamIndex: 0, codec: 'h264', rotation: 0, endSeconds: 60, timeBase: '1/12800', colour: {}, alpha: null },
  ...{ frameRate: 25, baseFrameRate: '25/1', hasVariableFrameRate: false, pixelFormat: 'yuv420p', isInterlaced: false },
}

function sizeOf([width, height]: readonly [number, number], request: Partial<PictureRequest>) {
  const picture = { aspect: 'source', fit: 'crop', heightPixels: null, ...request } as const
  const made = clipPicture({ ...track, width, height, shown: { width, height } }, { picture })
  return made && [made.width, made.height]
}

const [small, high, vast] = [[640, 360] as const, [1920, 1080] as const, [3840, 2160] as const]

it.each([
  [small, { aspect: '9:16' }, [1080, 1920]],
  [small, { aspect: '4:5' }, [1080, 1350]],
  [small, { aspect: '1:1' }, [1080, 1080]],
  [small, { aspect: '16:9' }, [1920, 1080]],
  [high, { aspect: '9:16', fit: 'blur' }, [1080, 1920]],
  [high, { aspect: '16:9' }, [1920, 1080]],
  [vast, { aspect: '9:16' }, [1080, 1920]],
  [vast, { aspect: '16:9', fit: 'pad' }, [1920, 1080]],
  [[202, 4_000] as const, { aspect: '16:9', fit: 'pad' }, [1920, 1080]],
  // A height that is asked for is kept as far as the source has it, or the usual size does.
  [small, { aspect: '9:16', heightPixels: 640 }, [360, 640]],
  [small, { aspect: '9:16', heightPixels: 2_160 }, [1080, 1920]],
  [vast, { aspect: '9:16', heightPixels: 2_160 }, [1216, 2_160]],
  [vast, { aspect: '9:16', heightPixels: 4_320 }, [1216, 2_160]],
  // Nothing is enlarged that keeps its shape.
  [small, { heightPixels: 720 }, [640, 360]],
  [small, { heightPixels: 180 }, [320, 180]],
  [small, {}, null],
] as const)('a source of %j with %j is %j', (source, request, size) => {
  expect(sizeOf(source, request)).toEqual(size)
})
