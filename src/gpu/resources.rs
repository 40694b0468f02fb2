//! What lies on the graphics card between frames: pipelines, textures, what each draw is bound to.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

use bytemuck::cast_slice;
use eframe::wgpu;
use wgpu::util::DeviceExt as _;

use super::samples::{DifferenceSamples, Samples};

/// Draws whose bindings are kept: more than a frame has.
const KEPT_BINDS: u64 = 64;

/// What all draws share. One a window: egui keeps it with its renderer.
pub(super) struct Resources {
    overlay: wgpu::RenderPipeline,
    heat: wgpu::RenderPipeline,
    /// Of pictures and maps, known by where their samples lie: an address is nobody else's while a weak
    /// one is held.
    textures: HashMap<usize, Uploaded>,
    draws: HashMap<u64, Bound>,
    /// How many draws were bound so far.
    binds: u64,
}

/// What a draw is bound to, and as which of all draws.
struct Bound {
    group: wgpu::BindGroup,
    bind: u64,
}

struct Uploaded {
    /// Whose samples it has; it goes when they do.
    owner: Weak<dyn Any + Send + Sync>,
    view: wgpu::TextureView,
}

/// A shader with what it draws.
#[derive(Clone, Copy)]
pub(super) enum Shader {
    Overlay,
    Heat,
}

impl Resources {
    pub(super) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let overlay = concat!(
            include_str!("../../shaders/common.wgsl"),
            include_str!("../../shaders/compare.wgsl")
        );
        let heat = concat!(
            include_str!("../../shaders/common.wgsl"),
            include_str!("../../shaders/heat.wgsl")
        );
        Self {
            overlay: pipeline(device, format, ("compare", overlay)),
            heat: pipeline(device, format, ("heat", heat)),
            textures: HashMap::new(),
            draws: HashMap::new(),
            binds: 0,
        }
    }

    pub(super) fn pipeline(&self, shader: Shader) -> &wgpu::RenderPipeline {
        match shader {
            Shader::Overlay => &self.overlay,
            Shader::Heat => &self.heat,
        }
    }

    pub(super) fn bound(&self, draw: u64) -> Option<&wgpu::BindGroup> {
        self.draws.get(&draw).map(|bound| &bound.group)
    }

    /// Lets go of textures whose samples are gone.
    pub(super) fn sweep(&mut self) {
        self.textures.retain(|_, uploaded| uploaded.owner.strong_count() > 0);
        // What a draw is bound to keeps its textures: one that is not drawn any more lets go of them.
        let oldest = self.binds.saturating_sub(KEPT_BINDS);
        self.draws.retain(|_, bound| bound.bind >= oldest);
    }

    /// Uploads a picture unless it lies there.
    pub(super) fn upload_picture(
        &mut self,
        gpu: (&wgpu::Device, &wgpu::Queue),
        samples: &Arc<Samples>,
    ) {
        let plane = samples.plane();
        let image = Image {
            format: wgpu::TextureFormat::Rgba8Unorm,
            size: [plane.width, plane.height],
            bytes: plane.rgba.as_flattened(),
        };
        self.upload(gpu, samples, &image);
    }

    /// Uploads a map unless it lies there.
    pub(super) fn upload_map(
        &mut self,
        gpu: (&wgpu::Device, &wgpu::Queue),
        samples: &Arc<DifferenceSamples>,
    ) {
        let plane = samples.plane();
        let image = Image {
            format: wgpu::TextureFormat::R32Float,
            size: [plane.width, plane.height],
            bytes: cast_slice(plane.values),
        };
        self.upload(gpu, samples, &image);
    }

    fn upload<S: Any + Send + Sync>(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        samples: &Arc<S>,
        image: &Image<'_>,
    ) {
        self.textures.entry(Arc::as_ptr(samples) as usize).or_insert_with(|| {
            let owner: Arc<dyn Any + Send + Sync> = Arc::<S>::clone(samples);
            Uploaded { owner: Arc::downgrade(&owner), view: image.upload(device, queue) }
        });
    }

    /// Binds a draw to its numbers and to textures that were uploaded, by where their samples lie.
    pub(super) fn bind(
        &mut self,
        device: &wgpu::Device,
        draw: u64,
        (shader, uniform): (Shader, &[u8]),
        textures: &[usize],
    ) {
        // A buffer of its own for each bind: the numbers change with every frame, and one shared by several
        // draws would hold those of the last.
        let buffer = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("stage view"),
            contents: uniform,
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let mut entries =
            vec![wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }];
        // Binding 0 is the uniform in both shaders; textures follow in the order in which the shader declares them.
        for (binding, key) in (1..).zip(textures) {
            // A caller that uploaded nothing under this key gets no new binding, and paints nothing or what it had
            // before.
            let Some(uploaded) = self.textures.get(key) else { return };
            let resource = wgpu::BindingResource::TextureView(&uploaded.view);
            entries.push(wgpu::BindGroupEntry { binding, resource });
        }
        let bound = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("stage"),
            // The layout comes from the shader itself (`layout: None` below), so the two cannot drift apart.
            layout: &self.pipeline(shader).get_bind_group_layout(0),
            entries: &entries,
        });
        // Counts binds, not frames: what `sweep` measures age by.
        self.binds += 1;
        self.draws.insert(draw, Bound { group: bound, bind: self.binds });
    }
}

struct Image<'a> {
    format: wgpu::TextureFormat,
    size: [u32; 2],
    bytes: &'a [u8],
}

impl Image<'_> {
    fn upload(&self, device: &wgpu::Device, queue: &wgpu::Queue) -> wgpu::TextureView {
        let [width, height] = self.size;
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let descriptor = wgpu::TextureDescriptor {
            label: Some("stage picture"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: self.format,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        };
        let texture = device.create_texture(&descriptor);
        // Both formats take four bytes a pixel.
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(width * 4),
            rows_per_image: None,
        };
        queue.write_texture(texture.as_image_copy(), self.bytes, layout, size);
        texture.create_view(&wgpu::TextureViewDescriptor::default())
    }
}

fn pipeline(
    device: &wgpu::Device,
    format: wgpu::TextureFormat,
    (name, source): (&str, &'static str),
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(name),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    });
    // As egui blends what it draws: premultiplied.
    let over = wgpu::BlendState {
        color: wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::OneMinusSrcAlpha,
            operation: wgpu::BlendOperation::Add,
        },
        alpha: wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::OneMinusDstAlpha,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        },
    };
    let target =
        wgpu::ColorTargetState { format, blend: Some(over), write_mask: wgpu::ColorWrites::ALL };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(name),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vertex"),
            // The vertex shader makes the corners from the vertex index.
            buffers: &[],
            compilation_options: wgpu::PipelineCompilationOptions::default(),
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fragment"),
            targets: &[Some(target)],
            compilation_options: wgpu::PipelineCompilationOptions::default(),
        }),
        multiview_mask: None,
        cache: None,
    })
}
